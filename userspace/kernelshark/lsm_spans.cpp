// SPDX-License-Identifier: GPL-2.0-only
/*
 * KernelShark plugin: hook calls as boxes in the plots of tasks
 *
 * A box ends with lsm_hook_exit and is as wide as the call was long. One inside
 * another is lower. What was denied is red. The hook's name stands above its
 * box where that is wide enough.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include <libkshark.h>
#include <libkshark-plugin.h>
#include <KsPlugins.hpp>

namespace {

/* In pixels. Boxes narrower than their name have none. */
constexpr int LETTER = 8;
constexpr int FONT_SIZE = 13;

const KsPlot::Color ALLOWED(0, 90, 200);
const KsPlot::Color DENIED(220, 0, 0);

struct Span {
	const kshark_entry *exit;
	int64_t begin;
	int depth;	/* how many other spans it is inside */
};

/* State of one trace file. */
struct Stream {
	int exit_id;
	kshark_data_container *events;	/* unsorted until they are drawn */
	std::map<int, std::vector<Span>> spans;	/* by task; empty until drawn */
};

std::map<int, Stream> streams;

/* Words of lsm_hook_exit: as they are printed, since names are numbers in the event, or were texts. */
struct Call {
	char hook[33];
	char verdict[9];
};

bool read_call(const kshark_entry *exit, Call *call)
{
	char *text = kshark_get_info(exit);
	const char *verdict = text ? strstr(text, " verdict=") : nullptr;
	bool read = verdict && sscanf(text, "hook=%32s", call->hook) == 1 &&
		    sscanf(verdict, " verdict=%8s", call->verdict) == 1;

	free(text);
	return read;
}

/* Records come CPU by CPU, so they are only collected here. */
void keep(kshark_data_stream *stream, void *, kshark_entry *entry)
{
	kshark_data_container_append(streams[stream->stream_id].events, entry, 0);
}

/* What ended since a span began, in the same task, is inside it. */
void find_spans(Stream &stream)
{
	kshark_data_container_sort(stream.events);
	for (ssize_t i = 0; i < stream.events->size; i++) {
		const kshark_entry *exit = stream.events->data[i]->entry;
		auto &spans = stream.spans[exit->pid];
		int64_t ns = 0;

		kshark_read_event_field_int(exit, "ns", &ns);
		for (auto inner = spans.rbegin(); inner != spans.rend() && inner->exit->ts > exit->ts - ns; ++inner)
			inner->depth++;
		spans.push_back({exit, exit->ts - ns, 0});
	}
}

ksplot_font *font()
{
	static ksplot_font font;

	if (!ksplot_font_is_loaded(&font)) {
		char *file = ksplot_find_font_file("FreeMono", "FreeMonoBold");

		ksplot_init_font(&font, FONT_SIZE, file);
		free(file);
	}
	return &font;
}

/* The horizontal position of a time, which may be outside the plot. */
int column(const kshark_trace_histo *histo, int64_t time)
{
	int64_t bin = (time - histo->min) / histo->bin_size;

	return std::min<int64_t>(std::max<int64_t>(bin, 0), histo->n_bins - 1);
}

void draw_span(KsCppArgV *plot, const Span &span)
{
	const KsPlot::Graph *graph = plot->_graph;
	KsPlot::Point left = graph->bin(column(plot->_histo, span.begin))._base;
	KsPlot::Point right = graph->bin(column(plot->_histo, span.exit->ts))._base;
	int top = left.y() - graph->height() * 6 / 10 / (1 + span.depth);
	auto *box = new KsPlot::Rectangle;
	Call call = {};

	box->setFill(false);
	box->setPoint(0, left.x(), top);
	box->setPoint(1, left.x(), left.y());
	box->setPoint(2, right.x(), right.y());
	box->setPoint(3, right.x(), top);
	box->_size = 2;
	box->_color = ALLOWED;
	plot->_shapes->push_front(box);
	if (!read_call(span.exit, &call))
		return;
	if (!strcmp(call.verdict, "deny"))
		box->_color = DENIED;

	if (!span.depth && right.x() - left.x() > LETTER * static_cast<int>(strlen(call.hook)))
		plot->_shapes->push_front(new KsPlot::TextBox(font(), call.hook, box->_color,
							      KsPlot::Point(left.x(), top - 4)));
}

void draw(kshark_cpp_argv *argv, int sd, int pid, int action)
{
	KsCppArgV *plot = KS_ARGV_TO_CPP(argv);
	Stream &stream = streams[sd];

	if (!(action & KSHARK_TASK_DRAW))
		return;
	if (stream.spans.empty())
		find_spans(stream);
	for (const Span &span : stream.spans[pid])
		if (span.exit->ts >= plot->_histo->min && span.begin <= plot->_histo->max)
			draw_span(plot, span);
}

} /* namespace */

extern "C" {

int KSHARK_PLOT_PLUGIN_INITIALIZER(kshark_data_stream *stream)
{
	int exit = kshark_find_event_id(stream, "lsmpmon/lsm_hook_exit");

	if (exit < 0)
		return 0;
	streams[stream->stream_id] = {exit, kshark_init_data_container(), {}};
	kshark_register_event_handler(stream, exit, keep);
	kshark_register_draw_handler(stream, draw);
	return 1;
}

int KSHARK_PLOT_PLUGIN_DEINITIALIZER(kshark_data_stream *stream)
{
	auto found = streams.find(stream->stream_id);

	if (found == streams.end())
		return 0;
	kshark_unregister_event_handler(stream, found->second.exit_id, keep);
	kshark_unregister_draw_handler(stream, draw);
	kshark_free_data_container(found->second.events);
	streams.erase(found);
	return 1;
}

}
