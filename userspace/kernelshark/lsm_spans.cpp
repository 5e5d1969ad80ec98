// SPDX-License-Identifier: GPL-2.0-only
/*
 * KernelShark plugin: hook calls as boxes in the plots of tasks
 *
 * A box begins with lsm_hook_enter and ends with lsm_hook_exit. One inside
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
	const kshark_entry *enter;
	const kshark_entry *exit;
	int depth;	/* how many other spans it is inside */
};

/* State of one trace file. */
struct Stream {
	int enter_id;
	int exit_id;
	kshark_data_container *events;	/* both, unsorted until they are paired */
	std::map<int, std::vector<Span>> spans;	/* by task; empty until drawn */
};

std::map<int, Stream> streams;

/* Fields of lsm_hook_exit. */
struct Call {
	char hook[33];
	char verdict[9];
};

bool read_call(const kshark_entry *exit, Call *call)
{
	char *text = kshark_get_info(exit);
	bool read = text && sscanf(text,
				   "hook=%32s modules=%*u ns=%*u ticks=%*u rc=%*d verdict=%8s",
				   call->hook, call->verdict) == 2;

	free(text);
	return read;
}

/* Records come CPU by CPU, so they are only collected here. */
void keep(kshark_data_stream *stream, void *, kshark_entry *entry)
{
	kshark_data_container_append(streams[stream->stream_id].events, entry, 0);
}

/* An exit belongs to the last unmatched enter of its task. */
void pair(Stream &stream)
{
	std::map<int, std::vector<const kshark_entry *>> open;

	kshark_data_container_sort(stream.events);
	for (ssize_t i = 0; i < stream.events->size; i++) {
		const kshark_entry *entry = stream.events->data[i]->entry;
		auto &stack = open[entry->pid];

		if (entry->event_id == stream.enter_id) {
			stack.push_back(entry);
		} else if (!stack.empty()) {
			int depth = stack.size() - 1;

			stream.spans[entry->pid].push_back({stack.back(), entry, depth});
			stack.pop_back();
		}
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
	KsPlot::Point left = graph->bin(column(plot->_histo, span.enter->ts))._base;
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
		pair(stream);
	for (const Span &span : stream.spans[pid])
		if (span.exit->ts >= plot->_histo->min && span.enter->ts <= plot->_histo->max)
			draw_span(plot, span);
}

} /* namespace */

extern "C" {

int KSHARK_PLOT_PLUGIN_INITIALIZER(kshark_data_stream *stream)
{
	int enter = kshark_find_event_id(stream, "lsmpmon/lsm_hook_enter");
	int exit = kshark_find_event_id(stream, "lsmpmon/lsm_hook_exit");

	if (enter < 0 || exit < 0)
		return 0;
	streams[stream->stream_id] = {enter, exit, kshark_init_data_container(), {}};
	kshark_register_event_handler(stream, enter, keep);
	kshark_register_event_handler(stream, exit, keep);
	kshark_register_draw_handler(stream, draw);
	return 1;
}

int KSHARK_PLOT_PLUGIN_DEINITIALIZER(kshark_data_stream *stream)
{
	auto found = streams.find(stream->stream_id);

	if (found == streams.end())
		return 0;
	kshark_unregister_event_handler(stream, found->second.enter_id, keep);
	kshark_unregister_event_handler(stream, found->second.exit_id, keep);
	kshark_unregister_draw_handler(stream, draw);
	kshark_free_data_container(found->second.events);
	streams.erase(found);
	return 1;
}

}
