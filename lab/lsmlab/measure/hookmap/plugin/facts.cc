// SPDX-License-Identifier: GPL-2.0-only
/*
 * GCC plugin: writes the calls and function pointers of a translation unit, and
 * ends the compiler before it optimises anything.
 *
 *     gcc ... -S -o /dev/null -fplugin=facts.so -fplugin-arg-facts-out=FILE
 *         [-fplugin-arg-facts-tree=DIR]
 *
 * It reads GIMPLE in SSA form, before inlining. facts.py reads
 * the output and describes the format. File names are relative to DIR.
 */

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "tree-pass.h"
#include "cgraph.h"
#include "context.h"
#include "ssa.h"
#include "tree-cfg.h"
#include "tree-ssa-alias.h"
#include "stringpool.h"
#include "attribs.h"
#include "diagnostic-core.h"

#include <cstdio>
#include <map>
#include <set>
#include <string>

int plugin_is_GPL_compatible;

static std::string tree_dir;
static FILE *out;

typedef std::set<std::string> names;

/* Names: of files, functions, fields and types. */

static std::string file_name(const char *path)
{
	std::string name = path ? path : "?";

	if (!tree_dir.empty() && !name.compare(0, tree_dir.size(), tree_dir))
		name.erase(0, tree_dir.size());
	while (!name.compare(0, 2, "./"))
		name.erase(0, 2);
	return name;
}

static bool is_source(const std::string &name)
{
	return name.size() > 2 && !name.compare(name.size() - 2, 2, ".c");
}

/*
 * The file that a static name is of: a header's is the same in all units; a
 * source file that others include, as those of ELF do, has one for each.
 */
static std::string static_file(tree decl)
{
	std::string name = file_name(DECL_SOURCE_FILE(decl));

	return is_source(name) ? file_name(main_input_filename) : name;
}

/* Static functions may share a name, so theirs include the file. */
static std::string symbol_name(tree decl)
{
	if (TREE_PUBLIC(decl)) {
		const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));

		return *name == '*' ? name + 1 : name;
	}
	std::string name = DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "?";

	return name + "@" + static_file(decl);
}

static std::string type_name(tree type)
{
	tree name = TYPE_NAME(TYPE_MAIN_VARIANT(type));

	if (name && TREE_CODE(name) == TYPE_DECL)
		name = DECL_NAME(name);
	return name ? IDENTIFIER_POINTER(name) : "";
}

/* A record without a name is identified by the place of its first field. */
static std::string record_name(tree type)
{
	std::string name = type_name(type);

	if (!name.empty())
		return name;
	tree field = TYPE_FIELDS(type);

	if (!field)
		return "?";
	return "<" + file_name(DECL_SOURCE_FILE(field)) + ":" +
	       std::to_string(DECL_SOURCE_LINE(field)) + ">";
}

static std::string field_name(tree field)
{
	std::string name = DECL_NAME(field) ? IDENTIFIER_POINTER(DECL_NAME(field)) : "?";

	return record_name(DECL_CONTEXT(field)) + "." + name;
}

/* Functions that can be called through the same pointer have the same signature. */
static std::string type_text(tree type, int depth)
{
	switch (TREE_CODE(type)) {
	case VOID_TYPE:
		return "v";
	case BOOLEAN_TYPE:
		return "b";
	case INTEGER_TYPE:
	case ENUMERAL_TYPE:
		return (TYPE_UNSIGNED(type) ? "u" : "i") + std::to_string(TYPE_PRECISION(type));
	case POINTER_TYPE:
		return "*" + (depth > 3 ? "" : type_text(TREE_TYPE(type), depth + 1));
	case RECORD_TYPE:
	case UNION_TYPE:
		return type_name(type).empty() ? "r" : type_name(type);
	case FUNCTION_TYPE:
		return "f";
	default:
		return "?";
	}
}

static std::string signature(tree type)
{
	std::string text = type_text(TREE_TYPE(type), 0) + "(";

	for (tree arg = TYPE_ARG_TYPES(type); arg && TREE_VALUE(arg) != void_type_node;
	     arg = TREE_CHAIN(arg))
		text += type_text(TREE_VALUE(arg), 0) + ",";
	return text + ")";
}

static bool is_function_pointer(tree type)
{
	return POINTER_TYPE_P(type) && FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type));
}

/* Where values come from. */

/* Number of the parameter whose value a function begins with, or -1. */
static int parameter(tree value)
{
	int number = 0;

	if (TREE_CODE(value) != SSA_NAME || !SSA_NAME_IS_DEFAULT_DEF(value) ||
	    !SSA_NAME_VAR(value) || TREE_CODE(SSA_NAME_VAR(value)) != PARM_DECL)
		return -1;
	for (tree parm = DECL_ARGUMENTS(current_function_decl); parm; parm = DECL_CHAIN(parm)) {
		if (parm == SSA_NAME_VAR(value))
			return number;
		number++;
	}
	return -1;
}

static bool is_variable(tree base)
{
	return base && VAR_P(base) && (TREE_STATIC(base) || DECL_EXTERNAL(base));
}

static std::string plain_value(tree value)
{
	if (TREE_CODE(value) == INTEGER_CST)
		return tree_fits_shwi_p(value) ? "k" + std::to_string(tree_to_shwi(value)) :
		       tree_fits_uhwi_p(value) ? "k" + std::to_string(tree_to_uhwi(value)) : "_";
	if (TREE_CODE(value) == SSA_NAME) {
		int number = parameter(value);

		return number >= 0 ? "p" + std::to_string(number) :
				     "v" + std::to_string(SSA_NAME_VERSION(value));
	}
	if (TREE_CODE(value) == ADDR_EXPR) {
		tree base = get_base_address(TREE_OPERAND(value, 0));

		if (base && TREE_CODE(base) == FUNCTION_DECL)
			return "&" + symbol_name(base);
		if (is_variable(base))
			return "@" + symbol_name(base);
	}
	return "_";
}

/* The field that a reference ends in, also as an element of an array in it; or nothing. */
static tree field_of(tree reference)
{
	while (TREE_CODE(reference) == ARRAY_REF || TREE_CODE(reference) == VIEW_CONVERT_EXPR ||
	       TREE_CODE(reference) == REALPART_EXPR)
		reference = TREE_OPERAND(reference, 0);
	if (TREE_CODE(reference) == COMPONENT_REF)
		return TREE_OPERAND(reference, 1);
	return NULL_TREE;
}

static void sources(tree value, names &found, std::set<tree> &seen);

/*
 * Whether a field of a variable is what a static call goes through on architectures
 * without trampolines.  Elsewhere, the trampoline is the place that is called.
 */
static bool is_static_call(tree field, tree base)
{
	return is_variable(base) && field_name(field) == "static_call_key.func" &&
	       !symbol_name(base).compare(0, 7, "__SCK__");
}

/* The place of something in memory: a field, a variable, or the target of a pointer. */
static void memory_sources(tree reference, names &found, std::set<tree> &seen)
{
	tree field = field_of(reference);
	tree base = get_base_address(reference);

	if (field && is_static_call(field, base)) {
		found.insert("%__SCT__" + symbol_name(base).substr(7));
	} else if (field) {
		found.insert("." + field_name(field));
	} else if (is_variable(base)) {
		found.insert("%" + symbol_name(base));
	} else if (base && TREE_CODE(base) == MEM_REF &&
		   TREE_CODE(TREE_OPERAND(base, 0)) == SSA_NAME) {
		/* A pointer, perhaps to a field or a variable. */
		tree pointer = TREE_OPERAND(base, 0);
		gimple *from = SSA_NAME_DEF_STMT(pointer);

		if (seen.insert(pointer).second && from && is_gimple_assign(from) &&
		    gimple_assign_rhs_code(from) == ADDR_EXPR)
			memory_sources(TREE_OPERAND(gimple_assign_rhs1(from), 0), found, seen);
		else
			found.insert("?");
	} else {
		found.insert("?");
	}
}

static void sources(tree value, names &found, std::set<tree> &seen)
{
	std::string plain = plain_value(value);

	if (plain[0] == '&' || plain[0] == 'p' || plain[0] == 'k') {
		found.insert(plain);
		return;
	}
	if (TREE_CODE(value) != SSA_NAME) {
		if (TREE_CODE(value) == ADDR_EXPR)
			found.insert(plain);
		else
			memory_sources(value, found, seen);
		return;
	}
	if (!seen.insert(value).second)
		return;
	gimple *from = SSA_NAME_DEF_STMT(value);

	if (gphi *phi = dyn_cast<gphi *>(from)) {
		for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
			sources(gimple_phi_arg_def(phi, i), found, seen);
	} else if (is_gimple_call(from)) {
		tree callee = gimple_call_fndecl(from);

		found.insert(callee ? "=" + symbol_name(callee) : std::string("?"));
	} else if (gimple_assign_single_p(from) || gimple_assign_cast_p(from)) {
		sources(gimple_assign_rhs1(from), found, seen);
	} else {
		found.insert("?");
	}
}

static std::string joined(const names &found)
{
	std::string text;

	for (const std::string &name : found)
		text += (text.empty() ? "" : "|") + name;
	return text.empty() ? "?" : text;
}

static std::string sources_of(tree value)
{
	names found;
	std::set<tree> seen;

	sources(value, found, seen);
	return joined(found);
}

/* Whether a value is a pointer to a function, whatever its type says. */
static bool is_function(tree value)
{
	return is_function_pointer(TREE_TYPE(value)) || plain_value(value)[0] == '&';
}

static std::string value_text(tree value)
{
	return is_function(value) ? sources_of(value) : plain_value(value);
}

/* A name for people, where there is one. */
static std::string variable_name(tree value)
{
	if (TREE_CODE(value) == SSA_NAME && SSA_NAME_VAR(value) && DECL_NAME(SSA_NAME_VAR(value)))
		return IDENTIFIER_POINTER(DECL_NAME(SSA_NAME_VAR(value)));
	if (TREE_CODE(value) == SSA_NAME) {
		gimple *from = SSA_NAME_DEF_STMT(value);

		if (from && is_gimple_assign(from) && gimple_assign_single_p(from)) {
			tree field = field_of(gimple_assign_rhs1(from));

			if (field && DECL_NAME(field))
				return IDENTIFIER_POINTER(DECL_NAME(field));
			if (VAR_P(gimple_assign_rhs1(from)) && DECL_NAME(gimple_assign_rhs1(from)))
				return IDENTIFIER_POINTER(DECL_NAME(gimple_assign_rhs1(from)));
		}
		if (from && gimple_assign_cast_p(from))
			return variable_name(gimple_assign_rhs1(from));
	}
	return "-";
}

/* Statements. */

/* The framework's tables of callbacks: a reference to one is a call of a hook. */
static void write_table(tree operand)
{
	if (!operand)
		return;
	if (TREE_CODE(operand) == ADDR_EXPR)
		operand = TREE_OPERAND(operand, 0);
	for (; handled_component_p(operand); operand = TREE_OPERAND(operand, 0)) {
		if (TREE_CODE(operand) != COMPONENT_REF)
			continue;
		std::string name = field_name(TREE_OPERAND(operand, 1));

		if (!name.compare(0, 20, "security_hook_heads.") ||
		    !name.compare(0, 23, "lsm_static_calls_table.")) {
			fprintf(out, "r %s\n", name.c_str());
			return;
		}
	}
}

static const char *operator_name(enum tree_code code)
{
	switch (code) {
	case EQ_EXPR:
		return "eq";
	case NE_EXPR:
		return "ne";
	case LT_EXPR:
		return "lt";
	case LE_EXPR:
		return "le";
	case GT_EXPR:
		return "gt";
	case GE_EXPR:
		return "ge";
	case BIT_AND_EXPR:
		return "and";
	case BIT_IOR_EXPR:
		return "or";
	case NEGATE_EXPR:
		return "neg";
	default:
		return NULL;
	}
}

static void write_store(tree where, tree value)
{
	names places;
	std::set<tree> seen;

	memory_sources(where, places, seen);
	fprintf(out, "w %s %s\n", joined(places).c_str(), sources_of(value).c_str());
}

/* Whether a value is the address of a record, such as a table of operations, whatever its type says. */
static bool is_record_pointer(tree value)
{
	tree type = TREE_TYPE(value);

	return plain_value(value)[0] == '@' ||
	       (POINTER_TYPE_P(type) && RECORD_OR_UNION_TYPE_P(TREE_TYPE(type)));
}

/* The variables that are stored in a place by their addresses: tables that an object is given. */
static void write_table_store(tree where, tree value)
{
	std::string from = sources_of(value);

	if (from[0] != '@' && from.find("|@") == std::string::npos)
		return;
	names places;
	std::set<tree> seen;

	memory_sources(where, places, seen);
	fprintf(out, "t %s %s\n", joined(places).c_str(), from.c_str());
}

/* Values that memory is known to have, since they were stored there on the only way to where they are read. */

static std::map<gimple *, size_t> results;

/* A name for what a call returns, also if that is stored in memory at once. */
static std::string result_name(gimple *call)
{
	tree lhs = gimple_call_lhs(call);

	if (!lhs || TREE_CODE(lhs) == SSA_NAME)
		return lhs ? plain_value(lhs) : "_";
	return "vm" + std::to_string(results.emplace(call, results.size()).first->second);
}

/* What is referred to, also where it is through a pointer that was made of its address. */
static tree referred(tree reference)
{
	if (reference && TREE_CODE(reference) == MEM_REF && integer_zerop(TREE_OPERAND(reference, 1)) &&
	    TREE_CODE(TREE_OPERAND(reference, 0)) == SSA_NAME) {
		gimple *from = SSA_NAME_DEF_STMT(TREE_OPERAND(reference, 0));

		if (is_gimple_assign(from) && gimple_assign_rhs_code(from) == ADDR_EXPR)
			return TREE_OPERAND(gimple_assign_rhs1(from), 0);
	}
	return reference;
}

/* A local variable with a cleanup attribute, whose address nobody keeps. */
static bool is_scoped(tree base)
{
	return base && VAR_P(base) && lookup_attribute("cleanup", DECL_ATTRIBUTES(base));
}

static bool has_address(gimple *call, tree base)
{
	for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
		tree argument = gimple_call_arg(call, i);

		if (TREE_CODE(argument) == ADDR_EXPR &&
		    get_base_address(TREE_OPERAND(argument, 0)) == base)
			return true;
	}
	return false;
}

/* Whether a statement leaves what a reference reads as it is. */
static bool leaves_alone(gimple *statement, tree reference)
{
	tree base = get_base_address(reference), lhs = gimple_get_lhs(statement);

	if (!is_scoped(base))
		return !stmt_may_clobber_ref_p(statement, reference);
	if (lhs && get_base_address(referred(lhs)) == base)
		return !stmt_may_clobber_ref_p(statement, reference);
	return !is_gimple_call(statement) || !has_address(statement, base);
}

/* Where a reference would have been read before a record was copied to where it is read now; or nothing. */
static tree before_copy(gimple *copy, tree reference)
{
	if (TREE_CODE(reference) != COMPONENT_REF || !gimple_assign_single_p(copy) ||
	    !operand_equal_p(gimple_assign_lhs(copy), TREE_OPERAND(reference, 0), 0))
		return NULL_TREE;
	return build3(COMPONENT_REF, TREE_TYPE(reference), gimple_assign_rhs1(copy),
		      TREE_OPERAND(reference, 1), NULL_TREE);
}

/* The value that was stored in what a statement reads, or nothing. */
static std::string stored_value(gassign *load)
{
	if (!gimple_assign_load_p(load) || TREE_THIS_VOLATILE(gimple_assign_rhs1(load)))
		return "";
	tree reference = referred(gimple_assign_rhs1(load));

	for (tree memory = gimple_vuse(load); memory;) {
		gimple *from = SSA_NAME_DEF_STMT(memory);
		tree lhs = referred(gimple_get_lhs(from));

		if (gimple_nop_p(from) || gimple_code(from) == GIMPLE_PHI)
			return "";
		if (lhs && operand_equal_p(lhs, reference, 0))
			return is_gimple_call(from) ? result_name(from) :
			       gimple_assign_single_p(from) ? plain_value(gimple_assign_rhs1(from)) : "";
		if (tree before = before_copy(from, reference))
			reference = before;
		else if (!leaves_alone(from, reference))
			return "";
		memory = gimple_vuse(from);
	}
	return "";
}

static void write_assign(gassign *assign)
{
	tree lhs = gimple_assign_lhs(assign), rhs = gimple_assign_rhs1(assign);
	const char *name = operator_name(gimple_assign_rhs_code(assign));

	if (TREE_CODE(lhs) != SSA_NAME) {
		if (gimple_assign_single_p(assign) && TREE_CODE(rhs) != CONSTRUCTOR &&
		    !AGGREGATE_TYPE_P(TREE_TYPE(rhs)) && is_function(rhs))
			write_store(lhs, rhs);
		else if (gimple_assign_single_p(assign) && TREE_CODE(rhs) != CONSTRUCTOR &&
			 !AGGREGATE_TYPE_P(TREE_TYPE(rhs)) && is_record_pointer(rhs))
			write_table_store(lhs, rhs);
		return;
	}
	std::string to = plain_value(lhs);

	if (gimple_assign_rhs_code(assign) == BIT_NOT_EXPR &&
	    TREE_CODE(TREE_TYPE(lhs)) == BOOLEAN_TYPE)
		fprintf(out, "a %s eq %s k0 -\n", to.c_str(), plain_value(rhs).c_str());
	else if (name && gimple_assign_rhs2(assign))
		fprintf(out, "a %s %s %s %s %s\n", to.c_str(), name, plain_value(rhs).c_str(),
			plain_value(gimple_assign_rhs2(assign)).c_str(),
			variable_name(rhs).c_str());
	else if (name)
		fprintf(out, "a %s %s %s\n", to.c_str(), name, plain_value(rhs).c_str());
	else if ((gimple_assign_cast_p(assign) || gimple_assign_single_p(assign)) &&
		 plain_value(rhs) != "_")
		fprintf(out, "a %s = %s\n", to.c_str(), plain_value(rhs).c_str());
	else if (std::string value = stored_value(assign); !value.empty() && value != "_")
		fprintf(out, "a %s = %s\n", to.c_str(), value.c_str());
}

static std::string callee_text(gcall *call)
{
	tree callee = gimple_call_fndecl(call);

	if (callee)
		return "=" + symbol_name(callee);
	if (gimple_call_internal_p(call))
		return "";
	tree type = gimple_call_fntype(call);

	return sources_of(gimple_call_fn(call)) + "#" + (type ? signature(type) : "");
}

static void write_call(gcall *call)
{
	std::string callee = callee_text(call);

	if (callee.empty())
		return;
	fprintf(out, "c %s %d %s", result_name(call).c_str(),
		LOCATION_LINE(gimple_location(call)), callee.c_str());
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		fprintf(out, " %s", value_text(gimple_call_arg(call, i)).c_str());
	fputc('\n', out);
}

/* Functions passed to assembly are called from there, by unknown callers. */
static void write_asm(gasm *assembly)
{
	for (unsigned i = 0; i < gimple_asm_ninputs(assembly); i++) {
		tree input = TREE_VALUE(gimple_asm_input_op(assembly, i));

		if (is_function(input))
			fprintf(out, "w ? %s\n", sources_of(input).c_str());
	}
}

static void write_statement(gimple *statement)
{
	for (unsigned i = 0; i < gimple_num_ops(statement); i++)
		write_table(gimple_op(statement, i));
	if (gassign *assign = dyn_cast<gassign *>(statement))
		write_assign(assign);
	else if (gcall *call = dyn_cast<gcall *>(statement))
		write_call(call);
	else if (gasm *assembly = dyn_cast<gasm *>(statement))
		write_asm(assembly);
	else if (gcond *cond = dyn_cast<gcond *>(statement))
		fprintf(out, "? %s %s %s %s\n", operator_name(gimple_cond_code(cond)) ?: "-",
			plain_value(gimple_cond_lhs(cond)).c_str(),
			plain_value(gimple_cond_rhs(cond)).c_str(),
			variable_name(gimple_cond_lhs(cond)).c_str());
	else if (greturn *ret = dyn_cast<greturn *>(statement))
		fprintf(out, "= %s\n", gimple_return_retval(ret) ?
			value_text(gimple_return_retval(ret)).c_str() : "_");
}

static void write_phi(gphi *phi)
{
	tree result = gimple_phi_result(phi);

	if (virtual_operand_p(result))
		return;
	fprintf(out, "f %s", plain_value(result).c_str());
	for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
		fprintf(out, " %d=%s", gimple_phi_arg_edge(phi, i)->src->index,
			plain_value(gimple_phi_arg_def(phi, i)).c_str());
	fputc('\n', out);
}

/* Blocks. */

static std::string case_text(tree label)
{
	tree low = CASE_LOW(label), high = CASE_HIGH(label);

	if (!low || !tree_fits_shwi_p(low))
		return "*";
	std::string text = std::to_string(tree_to_shwi(low));

	if (high && tree_fits_shwi_p(high))
		text += ".." + std::to_string(tree_to_shwi(high));
	return text;
}

static void write_switch(gswitch *choice)
{
	fprintf(out, "! %s %s", plain_value(gimple_switch_index(choice)).c_str(),
		variable_name(gimple_switch_index(choice)).c_str());
	for (unsigned i = 0; i < gimple_switch_num_labels(choice); i++) {
		tree label = gimple_switch_label(choice, i);

		fprintf(out, " %d=%s", label_to_block(cfun, CASE_LABEL(label))->index,
			case_text(label).c_str());
	}
	fputc('\n', out);
}

static void write_block(basic_block block)
{
	edge e;
	edge_iterator ei;

	fprintf(out, "B %d", block->index);
	FOR_EACH_EDGE(e, ei, block->succs)
		fprintf(out, " %d%s", e->dest->index, e->flags & EDGE_TRUE_VALUE ? "t" :
			e->flags & EDGE_FALSE_VALUE ? "n" : "");
	fputc('\n', out);
	for (gphi_iterator i = gsi_start_phis(block); !gsi_end_p(i); gsi_next(&i))
		write_phi(i.phi());
	for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
		if (gswitch *choice = dyn_cast<gswitch *>(gsi_stmt(i)))
			write_switch(choice);
		else if (!is_gimple_debug(gsi_stmt(i)))
			write_statement(gsi_stmt(i));
	}
}

static void write_function(struct cgraph_node *node)
{
	struct function *function = DECL_STRUCT_FUNCTION(node->decl);
	tree decl = node->decl, result = TREE_TYPE(TREE_TYPE(decl));
	basic_block block;

	if (!function || !function->cfg)
		return;
	push_cfun(function);
	results.clear();
	fprintf(out, "F %s %s %d %s %s\n", symbol_name(decl).c_str(),
		file_name(DECL_SOURCE_FILE(decl)).c_str(), DECL_SOURCE_LINE(decl),
		VOID_TYPE_P(result) ? "v" : POINTER_TYPE_P(result) ? "p" :
		INTEGRAL_TYPE_P(result) && !TYPE_UNSIGNED(result) ? "i" : "u",
		signature(TREE_TYPE(decl)).c_str());
	FOR_EACH_BB_FN(block, function)
		write_block(block);
	pop_cfun();
}

/* Variables. */

static bool is_named_table(const std::string &name)
{
	return name == "io_cold_def" || name == "io_op_def" || name == "io_issue_def";
}

/*
 * Contents of an initialiser: functions and variables with their field and the
 * index in the outermost array, and names of operations.
 */
static void write_initialiser(const char *variable, const std::string &field, long index,
			      tree value)
{
	unsigned HOST_WIDE_INT i;
	tree at, element;

	STRIP_NOPS(value);
	if (TREE_CODE(value) != CONSTRUCTOR) {
		if (TREE_CODE(value) != ADDR_EXPR)
			return;
		std::string plain = plain_value(value);
		tree base = TREE_OPERAND(value, 0);

		if (plain[0] == '&' || plain[0] == '@')
			fprintf(out, "I %s %ld %s %s\n", variable, index, field.c_str(), plain.c_str());
		else if (TREE_CODE(base) == STRING_CST &&
			 is_named_table(field.substr(0, field.find('.'))))
			fprintf(out, "I %s %ld %s \"%s\n", variable, index, field.c_str(),
				TREE_STRING_POINTER(base));
		return;
	}
	FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(value), i, at, element) {
		bool is_field = at && TREE_CODE(at) == FIELD_DECL;
		long number = index;

		if (at && !is_field && index < 0) {
			if (TREE_CODE(at) == RANGE_EXPR)
				at = TREE_OPERAND(at, 0);
			number = tree_fits_shwi_p(at) ? tree_to_shwi(at) : -1;
		}
		write_initialiser(variable, is_field ? field_name(at) : field, number, element);
	}
}

/* Instances of these show what a folder of the kernel implements. */
static void write_variable(struct varpool_node *node)
{
	tree decl = node->decl, type = TREE_TYPE(decl);
	tree value = DECL_INITIAL(decl);

	if (DECL_EXTERNAL(decl) && !value)
		return;
	while (TREE_CODE(type) == ARRAY_TYPE)
		type = TREE_TYPE(type);
	std::string name = symbol_name(decl);

	if (RECORD_OR_UNION_TYPE_P(type) && !DECL_EXTERNAL(decl))
		fprintf(out, "V %s %s %s\n", name.c_str(), record_name(type).c_str(),
			file_name(DECL_SOURCE_FILE(decl)).c_str());
	if (value && value != error_mark_node)
		write_initialiser(name.c_str(), "%" + name, -1, value);
}

/* The pass. */

static void write_unit(void)
{
	struct cgraph_node *function;
	struct varpool_node *variable;

	fprintf(out, "U %s\n", file_name(main_input_filename).c_str());
	FOR_EACH_VARIABLE(variable)
		write_variable(variable);
	FOR_EACH_FUNCTION(function) {
		if (!function->alias || !function->definition)
			continue;
		symtab_node *target = function->get_alias_target();

		if (target)
			fprintf(out, "A %s %s\n", symbol_name(function->decl).c_str(),
				symbol_name(target->decl).c_str());
	}
	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(function)
		write_function(function);
}

namespace {

const pass_data facts_data = {
	SIMPLE_IPA_PASS, "facts", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class facts_pass : public simple_ipa_opt_pass {
public:
	facts_pass() : simple_ipa_opt_pass(facts_data, g) {}

	unsigned int execute(function *) final override
	{
		write_unit();
		if (ferror(out) || fclose(out))
			fatal_error(UNKNOWN_LOCATION, "facts: cannot write: %m");
		/* Everything has been written. */
		exit(seen_error() ? 1 : 0);
	}
};

} // namespace

int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
	const char *path = NULL;

	if (!plugin_default_version_check(version, &gcc_version)) {
		error("facts: made for GCC %s, not for this one", gcc_version.basever);
		return 1;
	}
	for (int i = 0; i < info->argc; i++) {
		if (!strcmp(info->argv[i].key, "out"))
			path = info->argv[i].value;
		else if (!strcmp(info->argv[i].key, "tree"))
			tree_dir = std::string(info->argv[i].value) + "/";
	}
	out = path ? fopen(path, "w") : NULL;
	if (!out) {
		error("facts: cannot write %qs: %m", path ? path : "-fplugin-arg-facts-out=FILE");
		return 1;
	}
	struct register_pass_info pass = {
		new facts_pass(), "build_ssa_passes", 1, PASS_POS_INSERT_AFTER,
	};

	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
	return 0;
}
