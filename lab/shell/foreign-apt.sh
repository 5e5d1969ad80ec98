# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Packages of another architecture, from the sources of this machine's apt. They are downloaded, not installed.

# foreign_apt FOLDER ARCHITECTURE WORD...: apt-get with lists of its own: the system's architectures stay as they are.
foreign_apt() {
	mkdir -p "$1"/{lists,cache/archives}/partial
	apt-get -q -o "APT::Architecture=$2" -o "APT::Architectures=$2" -o Dir::State::status=/dev/null \
		-o "Dir::State::Lists=$1/lists" -o "Dir::Cache=$1/cache" \
		-o APT::Sandbox::User= -o APT::Update::Error-Mode=any "${@:3}"
}
