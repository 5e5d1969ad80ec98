# What the terminal in README.md shows; scripts/lab draw --session runs it.
mkdir -p build/records/apparmor build/records/selinux
for boot in 1 2 3 4 5; do for lsm in apparmor selinux; do
  make -s exec LSM=$lsm SHARE=$PWD/build/records/$lsm \
    CMD="lsmpmon record -o \$SHARE/$boot.json -- tar -C /usr/share -cf /dev/null doc" 2>>build/records/log
done; done
build/bin/lsmpmon diff build/records/apparmor build/records/selinux --top 6
build/bin/lsmpmon report build/records/selinux/1.json --by syscall --top 4
