#!/bin/sh
# Shares files and texts by @HOST@. Keep it: curl -fsS @HOST@/cli -o ~/.local/bin/satchel && chmod +x ~/.local/bin/satchel
# or run it from there: curl -fsS @HOST@/cli | sh -s -- up FILE
set -eu
host=${SATCHEL_HOST:-'@HOST@'}
key_file=${SATCHEL_KEY_FILE:-${XDG_CONFIG_HOME:-$HOME/.config}/satchel/key}
usage() {
  cat <<'END'
satchel up FILE|FOLDER|-...   share files, folders (as .tar.gz) or standard input, a link for each
satchel text [WORDS...]       share a text, of the command line or of standard input
satchel get LINK              save what a link leads to under its own name
satchel ls [LINK]             list your newest shares, or what is in a link
satchel rm LINK               delete a share of yours, or what an address of removal stands for
satchel in FOLDER             make a link by which others send files into a folder of the tree
satchel key                   keep the API key that is typed or piped, for you alone
satchel completion bash|zsh   what completes these words
Options, before or behind them: -e EXPIRE (30m, 2h, 7d, a day, never)  -v VIEWS  -n NAME  -s SLUG  -r REMARK
  -p (asks for the share's password; SATCHEL_PASSWORD may have it)  -q (adds a QR code)
  --seal (encrypts by age what is shared: who has the whole link reads it, and the server cannot)
END
}
# Some shells make control characters of what a backslash begins in the words of echo.
note() { printf 'satchel: %s\n' "$1" >&2; }
fail() { note "$1"; exit "${2-1}"; }
# A terminal obeys control characters, whoever has sent them; those of C1 are two bytes in UTF-8.
plain() { LC_ALL=C tr -d '\000-\010\013-\037\177' | LC_ALL=C sed "$(printf 's/\302[\200-\237]/?/g')"; }
work=$(umask 077 && mktemp -d)
trap 'rm -rf "$work" ${taken:+"$taken"}' EXIT; trap 'exit 130' HUP INT TERM
# curl reads what is secret from a file: others on this machine can read its command line. It takes names as they are, brackets too.
config=$work/config
quote() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }
say() { case $2 in *"
"*) fail "$1 has more than one line" ;; esac; printf 'header = "%s: %s"\n' "$1" "$(quote "$2")" >>"$config"; }
keyed() {
  [ -e "$key_file" ] || return 0
  case $(ls -ld "$key_file") in
    -r[w-]-------*) say Authorization "ApiKey $(cat "$key_file")" ;;
    *) fail "others can read $key_file: chmod 600 '$key_file'" ;;
  esac
}
# Prints what curl answers; a failure on the error output, with 3 as the exit status where another try may do.
ask() {
  code=$(curl -K "$config" "$progress" -o "$work/answer" -w '%{http_code}' "$@") || fail "$host does not answer" 3
  plain <"$work/answer" >"$work/said"
  case $code in 2*) sed -f "$work/mark" "$work/said"; return ;; 409 | 5*) code=3 ;; *) code=1 ;; esac
  fail "$(sed 's/.*"message":"\([^"]*\)".*/\1/' "$work/said")" "$code"
}
ask_password() {
  stty -echo </dev/tty || fail "there is no terminal to ask for the password"
  trap 'stty echo </dev/tty; exit 130' HUP INT TERM
  printf 'Password: ' >/dev/tty; IFS= read -r password </dev/tty || :; stty echo </dev/tty; trap 'exit 130' HUP INT TERM
}
sharing() {
  keyed; [ -z "$password" ] || say X-Share-Password "$password"
  if [ -z "$seal" ]; then [ -z "$name" ] || say X-Share-Name "$name"
  elif [ -n "$password$query" ]; then fail "--seal goes with neither -p nor -q"; fi
  cp "$config" "$work/open"
}
# Seals a file of this kind for whoever has its link, whose key stands behind the # of it; so is its name.
seal() {
  rm -f "$work/key" "$work/sealed.age"; cp "$work/open" "$config"
  { age-keygen -o "$work/key" 2>/dev/null && age -e -i "$work/key" -o "$work/sealed.age" <"$1"; } || fail "--seal needs age"
  quoted=$(quote "${name:-${1##*/}}" | tr -d '[:cntrl:]')
  printf '1s/$/#%s/\n' "$(grep '^AGE' "$work/key")" >"$work/mark"
  say X-Share-Sealed "$(printf '{"name":"%s","type":"%s","kind":"%s","size":%s}' "$quoted" "$type" "$kind" $(($(wc -c <"$1"))) |
    age -e -i "$work/key" | base64 | tr -d '\n')"
}
# Names a file as others called it, unless that hides it, passes for an option, or takes the place of what is there.
named() {
  name=$(printf %s "$1" | tr -d '[:cntrl:]' | plain)
  case $name in '' | [.-]* | */*) name=${2-_$name}; note "this one is $name here" ;; esac
  while [ -e "$name" ] || [ -L "$name" ]; do note "there is a file $name, so this one is $name.2"; name=$name.2; done
}
# Programs obey files of some names in a folder, so what comes is in one of its own until it has its name.
get() {
  taken=$(umask 077 && mktemp -d ./.satchel.XXXXXX)
  (cd "$taken" && curl -K "$config" "$progress" --fail -A curl/8 -OJ "$1")
  for saved in "$taken"/* "$taken"/.*; do [ ! -f "$saved" ] || { named "${saved##*/}"; mv "$saved" "./$name"; locked; }; done
}
# age asks for passwords at a terminal alone, and would ask for this one twice: the name is sealed by it, too.
locked() {
  case $(LC_ALL=C head -c 32 "./$name" | LC_ALL=C tr -dc ' -~') in 'age-encryption.org/v1-> scrypt '*)
    note "$name is sealed by a password, for which age asks: age -d -o OPENED SEALED" ;; esac
}
unseal() {
  { printf '%s\n' "${1#*#}" >"$work/key" && age-keygen -y "$work/key" >"$work/public" 2>&1; } || fail "age is missing, or the key of this link is not whole"
  curl -K "$config" "$progress" --fail -A curl/8 -D "$work/head" -o "$work/sealed.age" "${1%%#*}?raw"
  named "$(tr -d '\r' <"$work/head" | sed -n 's/^[Xx]-[Ss]hare-[Ss]ealed: //p' | base64 -d | age -d -i "$work/key" | sed 's/.*"name":"\([^"]*\)".*/\1/')" sealed
  age -d -i "$work/key" -o "$name" "$work/sealed.age" || { rm -f "$name"; exit 1; }
}
opening() { [ -z "$password" ] || printf 'user = ":%s"\n' "$(quote "$password")" >>"$config"; }
printf 'globoff\nproto = "=http,https"\n' >"$config"; : >"$work/mark"
if [ -t 2 ]; then progress=-#; else progress=-sS; fi
command='' password=${SATCHEL_PASSWORD-} query='' rest=0 name='' seal='' kind=file type=application/octet-stream
for word; do
  shift
  case ${option-} in '') ;; Name) name=$word option=''; continue ;; *) say "X-Share-$option" "$word"; option=''; continue ;; esac
  [ "$rest" = 0 ] || { set -- "$@" "$word"; continue; }
  case $word in
    -e) option=Expire ;; -v) option=Views ;; -n) option=Name ;; -s) option=Slug ;; -r) option=Remark ;;
    -p) ask_password ;; -q) query='?qr' ;; --seal) seal=1 ;;
    -h | --help) usage; exit ;; --) rest=1 ;;
    -?*) fail "there is no option $word; satchel --help lists them" ;;
    *) if [ -z "$command" ]; then command=$word; else set -- "$@" "$word"; fi ;;
  esac
done
[ -z "${option-}" ] || fail "the last option needs a value"
# Sends a file; what breaks off of a large one goes on from what has arrived. Its name is an option: as the end of the address it may be that of a page.
send() {
  [ -z "$seal" ] || { seal "$1"; set -- "$work/sealed.age"; }
  size=$(($(wc -c <"$1"))) sent=0 tries=0
  [ "$size" -ge 16000000 ] || { ask -T "$1" "$host/sent?name=$(printf %s "${1##*/}" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g')${query:+&qr}"; return; }
  ask -D "$work/head" -G -X POST --data-urlencode "name=${1##*/}" -H 'Upload-Complete: ?0' -H "Upload-Length: $size" "$host/" >"$work/begun"
  at=$(tr -d '\r' <"$work/head" | sed -n 's/^[Ll]ocation: //p')
  until tail -c "+$((sent + 1))" <"$1" | ask -X PATCH -T - -H 'Content-Type: application/partial-upload' -H "Upload-Offset: $sent" -H 'Upload-Complete: ?1' --url "$at$query"; do
    [ $? = 3 ] && [ "$tries" -lt 5 ] || exit 1
    note 'goes on from what has arrived'; sleep "$tries"
    now=$(curl -K "$config" -sI --url "$at" | tr -d '\r' | sed -n 's/^[Uu]pload-[Oo]ffset: //p')
    if [ "${now:-0}" -gt "$sent" ]; then sent=$now tries=0; else tries=$((tries + 1)); fi
  done
}
up() {
  for path; do
    if [ "$path$seal" = - ]; then ask -T - "$host/stdin$query"
    elif [ "$path" = - ]; then cat >"$work/stdin"; send "$work/stdin"
    elif [ -f "$path" ]; then send "$path"
    elif [ -d "$path" ]; then
      # Whole before it is sent: what breaks off must not pass for the folder.
      archive=$(basename -- "$(cd -- "$path" && pwd)").tar.gz
      tar -czf "$work/$archive" -C "$path/.." -- "${archive%.tar.gz}"
      send "$work/$archive"; rm "$work/$archive"
    else fail "there is no file $path"; fi
  done
}
case $command in
  up) [ $# -gt 0 ] || fail "up needs a file, a folder or -"; sharing; up "$@" ;;
  text) sharing
    if [ $# -gt 0 ]; then printf '%s' "$*"; else cat; fi >"$work/text.txt"
    if [ -n "$seal" ]; then kind=text type=text/plain; send "$work/text.txt"
    else ask --data-binary @"$work/text.txt" -H 'Content-Type: text/plain' "$host/$query"; fi ;;
  get) [ $# = 1 ] || fail "get needs one link"; opening
    case $1 in *'#AGE-SECRET-KEY-1'*) unseal "$1" ;; *) get "$1" ;; esac ;;
  ls) if [ $# = 0 ]; then keyed; ask "$host/cli/shares"; else opening; ask -A curl/8 "$1"; fi ;;
  rm) [ $# -gt 0 ] || fail "rm needs a link"
    # The key is for this server alone.
    for link; do case $link in "$host"/*) ;; *) fail "$link is not of $host" ;; esac; done
    keyed; for link; do ask -X DELETE "${link%%#*}"; done ;;
  in) [ $# = 1 ] || fail "in needs one folder of the tree"; keyed
    ask -H 'Content-Type: application/json' -d "{\"items\":[\"$(quote "${1%/}/")\"],\"rights\":[\"upload\"]}" "$host/api/links" >"$work/made"
    printf '%s/in/%s\n' "$host" "$(sed 's/.*"slug":"\([^"]*\)".*/\1/' "$work/made")" ;;
  key) mkdir -p "$(dirname "$key_file")"; [ ! -t 0 ] || printf 'API key: ' >&2
    (umask 077 && rm -f "$key_file" && IFS= read -r key && [ -n "$key" ] && printf '%s\n' "$key" >"$key_file") ;;
  completion)
    words='up text get ls rm in key completion'
    case ${1-} in bash) echo "complete -o default -W '$words' satchel" ;;
      zsh) echo "compctl -k '($words)' -x 'p[2,-1]' -f -- satchel" ;; *) fail "completion needs bash or zsh" ;; esac ;;
  '') usage ;;
  *) fail "there is no command $command; satchel --help lists them" ;;
esac
