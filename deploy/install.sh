#!/bin/sh
# Installs or updates Rollcall on a Debian or Ubuntu server, as a systemd service with its own database:
#
#   sh install.sh rollcall-0.1.0-linux-x64.tar.gz [--port=8080] [--url=https://book.example.org]
#   sh install.sh --remove            removes the program and the service, and keeps the data
#   sh install.sh --remove --data     also deletes the data, which can't be undone
#
# Run it as root. It can be repeated: a second run with a newer release updates, and settings stay as they are.
set -eu

# ROOT: another root folder, to prepare an image. Nothing is started then.
ROOT=${ROOT:-}
program=$ROOT/opt/rollcall
settings=$ROOT/etc/rollcall/rollcall.env
unit=$ROOT/etc/systemd/system/rollcall.service
data=$ROOT/var/lib/rollcall
command=$ROOT/usr/local/bin/rollcall

step() { printf '== %s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
in_root() { if [ -n "$ROOT" ]; then chroot "$ROOT" "$@"; else "$@"; fi; }
has_systemd() { [ -z "$ROOT" ] && [ -d /run/systemd/system ]; }

archive='' port=8080 url='' remove='' delete_data=''
for argument in "$@"; do
  case $argument in
    --port=*) port=${argument#*=} ;;
    --url=*) url=${argument#*=} ;;
    --remove) remove=yes ;;
    --data) delete_data=yes ;;
    -*) fail "unknown option $argument. Remedy: read the first lines of this file." ;;
    *) archive=$argument ;;
  esac
done
case $port in '' | *[!0-9]*) fail "--port must be a number, for example --port=8080." ;; esac
[ "$(id -u)" = 0 ] || fail 'run this as root. Remedy: sudo sh install.sh …'

if [ -n "$remove" ]; then
  if has_systemd && [ -e "$unit" ]; then
    step 'Stopping the service'
    systemctl disable --now rollcall.service
  fi
  step 'Removing the program, the command and the service'
  rm -rf -- "$program" "$program.new" "$program.old" "$command" "$unit"
  if has_systemd; then systemctl daemon-reload; fi
  if [ -n "$delete_data" ]; then
    step "Deleting $data, the settings and the account"
    rm -rf -- "$data" "$ROOT/etc/rollcall" "$ROOT/var/cache/rollcall"
    if in_root id rollcall >/dev/null 2>&1; then in_root userdel rollcall; fi
  else
    step "Done. The data is still in $data, and the settings in $settings."
  fi
  exit 0
fi

[ -n "$archive" ] || fail 'which release? Usage: sh install.sh rollcall-VERSION-linux-x64.tar.gz'
[ -f "$archive" ] || fail "there is no file $archive."
if [ -f "$archive.sha256" ]; then
  step 'Checking the archive'
  (cd "$(dirname "$archive")" && sha256sum --quiet --check "$(basename "$archive").sha256") ||
    fail 'the archive is damaged. Remedy: download it again.'
fi
free=$(df -Pk "$ROOT/opt" 2>/dev/null | awk 'NR == 2 { print $4 }')
[ "${free:-0}" -gt 1500000 ] || fail 'there is too little space in /opt: 1.5 GB are needed. Remedy: free up some space.'

if ! in_root sh -c 'ldconfig -p | grep -q libatomic.so.1'; then
  step 'Installing the library libatomic1'
  in_root apt-get update -q >/dev/null
  in_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends libatomic1 >/dev/null
fi
if ! in_root id rollcall >/dev/null 2>&1; then
  step 'Creating the account rollcall'
  in_root useradd --system --home-dir /var/lib/rollcall --shell /usr/sbin/nologin rollcall
fi
install -d -m 700 "$data"
in_root chown rollcall: /var/lib/rollcall

step "Unpacking $(basename "$archive")"
rm -rf -- "$program.new"
mkdir -p "$program.new"
tar -xzf "$archive" -C "$program.new" --strip-components=1 --no-same-owner
version=$(in_root "/opt/rollcall.new/bin/rollcall" --version) || fail 'the program does not run on this machine.'

if [ ! -e "$settings" ]; then
  step "Writing the settings to $settings"
  install -d -m 750 "$ROOT/etc/rollcall"
  {
    echo '# Settings of Rollcall: /opt/rollcall/docs/operations.md lists all. After a change: systemctl restart rollcall'
    echo "PORT=$port"
    echo 'HOST=127.0.0.1'
    echo '# A proxy such as Caddy answers for this address and passes requests on to the port above.'
    if [ -n "$url" ]; then
      echo "PUBLIC_URL=$url"
      echo 'TRUST_PROXY=on'
    else
      echo '#PUBLIC_URL=https://book.example.org'
      echo '#TRUST_PROXY=on'
    fi
    echo '#SMTP_URL=smtps://user:password@mail.example.org'
    echo '#MAIL_FROM=no-reply@example.org'
  } >"$settings"
  chmod 640 "$settings"
  in_root chown -R root:rollcall /etc/rollcall
fi

step "Putting version $version in place"
if has_systemd && [ -e "$unit" ]; then systemctl stop rollcall.service; fi
rm -rf -- "$program.old"
[ ! -e "$program" ] || mv "$program" "$program.old"
mv "$program.new" "$program"
mkdir -p "$(dirname "$command")" "$(dirname "$unit")"
cat >"$command" <<'COMMAND'
#!/bin/sh
# Runs a command of Rollcall with the settings and the account of the service.
set -eu
[ "$(id -u)" = 0 ] || { echo 'rollcall: run this as root, for example with sudo.' >&2; exit 1; }
set -a
. /etc/rollcall/rollcall.env
set +a
export DATA_DIR=/var/lib/rollcall HOME=/var/lib/rollcall
cd /var/lib/rollcall
exec setpriv --reuid=rollcall --regid=rollcall --init-groups /opt/rollcall/bin/rollcall "$@"
COMMAND
chmod 755 "$command"
cat >"$unit" <<'UNIT'
[Unit]
Description=Rollcall
Documentation=file:///opt/rollcall/docs/operations.md
After=network-online.target
Wants=network-online.target

[Service]
User=rollcall
WorkingDirectory=/var/lib/rollcall
EnvironmentFile=/etc/rollcall/rollcall.env
Environment=DATA_DIR=/var/lib/rollcall NODE_COMPILE_CACHE=/var/cache/rollcall
ExecStart=/opt/rollcall/bin/rollcall start --no-demo
Restart=always
RestartSec=1
TimeoutStopSec=40
KillMode=mixed
StateDirectory=rollcall
StateDirectoryMode=0700
CacheDirectory=rollcall
UMask=0077
LimitNOFILE=65536
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
UNIT
if ! has_systemd; then
  step "Done. systemd does not run here: start the service with \"rollcall start --no-demo\"."
  exit 0
fi
step 'Starting the service'
systemctl daemon-reload
systemctl enable --now rollcall.service
for _ in $(seq 1 120); do
  if systemctl is-active --quiet rollcall.service && link=$("$command" set-up 2>/dev/null); then
    printf '%s\n' "$link"
    break
  fi
  sleep 1
done
rm -rf -- "$program.old"
step "Done. Rollcall $version runs. Its log: journalctl -u rollcall"
