# What the terminal in README.md shows; scripts/draw --session runs it.
mkdir -p build/records
make -s exec LSM=apparmor SHARE=$PWD/build/records CMD='cd $SHARE; \
  lsmpmon record -r 5 -o apparmor.json -- tar -C /usr/share -cf /dev/null doc'
make -s exec LSM=selinux SHARE=$PWD/build/records CMD='cd $SHARE; \
  lsmpmon record -r 5 -o selinux.json -- tar -C /usr/share -cf /dev/null doc'
build/bin/lsmpmon diff build/records/apparmor.json build/records/selinux.json --top 6
build/bin/lsmpmon report build/records/selinux.json --by syscall --top 4
