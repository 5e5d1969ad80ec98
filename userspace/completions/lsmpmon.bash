# SPDX-License-Identifier: GPL-2.0-only
# Completion of lsmpmon for bash. The options are those that lsmpmon COMMAND --help lists.

_lsmpmon_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_lsmpmon_options() {
	lsmpmon "$1" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*'
}

# Hooks that were called, if the user may read them.
_lsmpmon_hooks() {
	lsmpmon show --csv 2>/dev/null | sed '1d;s/,.*//'
}

# System calls that were timed as a whole.
_lsmpmon_syscalls() {
	lsmpmon syscalls --csv 2>/dev/null | sed '1d;s/,.*//'
}

_lsmpmon_value() {
	case $1 in
	--by) _lsmpmon_words "hook module syscall verdict cpu comm cgroup pid tid hook,module hook,syscall hook,verdict comm,hook cgroup,hook syscall,module syscall,hook,module comm,syscall pid,comm pid,tid,comm pid,syscall" "$2" ;;
	--color) _lsmpmon_words "auto always never" "$2" ;;
	--stat) _lsmpmon_words "ave p50 min total" "$2" ;;
	-l | --label) _lsmpmon_words "comm cgroup" "$2" ;;
	-f | --features) _lsmpmon_words "all none syscall module histogram calls stack comm cgroup task slowest waits nested timed=64" "$2" ;;
	*) return 1 ;;
	esac
}

# After the options of record comes another command with its own.
_lsmpmon_of_record() {
	local i
	for ((i = 2; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" != -- ] && continue
		if declare -F _command_offset >/dev/null; then
			_command_offset $((i + 1))
		fi
		return 0
	done
	return 1
}

_lsmpmon() {
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
	if [ "$COMP_CWORD" -eq 1 ]; then
		_lsmpmon_words "$(lsmpmon --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -vx lsmpmon) --help --version" "$word"
		return
	fi
	[ "$command" = record ] && _lsmpmon_of_record && return
	_lsmpmon_value "${COMP_WORDS[COMP_CWORD - 1]}" "$word" && return
	if [[ $word == -* ]]; then
		_lsmpmon_words "$(_lsmpmon_options "$command")" "$word"
	elif [[ $command = hist && $COMP_CWORD -eq 2 ]] || [ "$command" = slower ]; then
		_lsmpmon_words "$(_lsmpmon_hooks)" "$word"
	elif [[ $command = @(slowest|waits|bpf) ]] && [ "$COMP_CWORD" -eq 2 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_lsmpmon_hooks)" -- "$word"; compgen -f -- "$word")
	elif [ "$command" = syscalls ] && [ "$COMP_CWORD" -eq 2 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_lsmpmon_syscalls)" -- "$word"; compgen -f -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _lsmpmon lsmpmon
