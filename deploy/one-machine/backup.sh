#!/bin/sh
# Writes a backup each day and keeps the last 14. KEEP and EVERY, in seconds, change that.
set -u
folder=${BACKUPS:-/backups}
while :; do
  if /opt/rollcall/bin/rollcall backup "$folder/rollcall-$(date -u +%F)" --force; then
    find "$folder" -maxdepth 1 -name 'rollcall-*' | sort -r | tail -n "+$((${KEEP:-14} + 1))" | while read -r old; do
      rm -f -- "$old"
    done
    wait=${EVERY:-86400}
  else
    # The database may start later than this: try again soon.
    wait=60
  fi
  sleep "$wait" &
  trap 'exit 0' TERM INT
  wait $!
done
