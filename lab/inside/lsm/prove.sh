# shellcheck shell=sh disable=SC2154 # of lab/inside/lsm-setup
# SPDX-License-Identifier: GPL-2.0-only
# Loads policies and proves with one access of each kind that they apply.

refused() {
	case $1 in
	*"Permission denied"* | *"Operation not permitted"*) ;;
	*) fail "failed, but was not denied: $1" ;;
	esac
}

reason() { echo "$1" | grep -o -e "Permission denied" -e "Operation not permitted" | head -n 1; }

# Sets allowed_text and, depending on the mode, denied_text.
prove_on() {
	said=$(allowed) || fail "the benchmark is denied its own work: $said" || return
	if said=$(denied); then fail "the benchmark is not denied what the policy does not allow" || return; fi
	refused "$said" || return
	denied_text="denied: $(access "$denied"): $(reason "$said")"
}

prove_off() {
	said=$(allowed) || fail "the benchmark is denied its own work: $said" || return
	said=$(denied) || fail "enforcement is off, but it is denied: $said" || return
	denied_text="not_denied: $(access "$denied")"
}

# Check that nothing else denies the access. Policies prepared earlier are already loaded.
undenied() {
	[ ! -e "$dir.setup/$module" ] || return 0
	said=$(control) || fail "denied already by something else: $said"
}

load_and_prove() {
	undenied && load || return
	echo "$mode $rules" >"$dir.setup/$module"
	if [ "$mode" = on ]; then prove_on; return; fi
	if [ "$relaxable" = yes ]; then
		echo "on $rules" >"$dir.setup/$module"
		prove_on && relax || return
		echo "$mode $rules" >"$dir.setup/$module"
	fi
	prove_off
}

opened() {
	said=$(confined "$modules" "$program" run denied/open -n 1 -w 0 -d "$dir" "--denied=$1" 2>&1) || :
	case $said in *"'$1' was opened"*) ;; *) return 1 ;; esac
}

# The file that each of these denies, after those of all others were opened. That these are denied, lmbench-hook finds.
denied_files() {
	for module in $DENYING; do
		case ,$modules, in
		*,"$module",*) echo "$module $(only "$module")/file" ;;
		*) opened "$(only "$module")/file" || fail "its file should be opened with $modules, but: $said" || return ;;
		esac
	done
}

# In a subshell, which gets the module's functions.
one() {
	module=$1 denied=$dir.denied relaxable=yes denied_text=''
	# shellcheck source=/dev/null
	. "$policy/$module.sh"
	make_places
	load_and_prove >&2 || return
	if [ "$verb" = prepare ]; then says; return; fi
	printf 'module: %s\nsays: %s\nallowed: %s\n%s\n' "$module" "$(says)" "$(access "$dir")" "$denied_text"
}

all() {
	for name in $(in_order); do
		if (one "$name"); then
			:
		elif [ "$verb" = prepare ]; then
			echo none
		else
			return 1
		fi
	done
}
