#!/bin/sh
# Takes a screenshot by Flameshot, Spectacle or macOS, sends it to @HOST@, and copies its link.
# Give it a keyboard shortcut. With - it sends the picture that comes on its standard input.
set -eu
umask 077
fail() { printf 'satchel-screenshot: %s\n' "$1" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
picture=$folder/screenshot-$(date +%Y%m%d-%H%M%S).png
if [ "${1-}" = - ]; then cat >"$picture"
elif has flameshot; then flameshot gui --raw >"$picture"
elif has spectacle; then spectacle --background --nonotify --region --output "$picture"
elif has screencapture; then screencapture -i "$picture"
else fail "there is no flameshot, spectacle or screencapture"; fi
[ -s "$picture" ] || fail "there is no picture"

# What is secret stays off the command line, which others on this machine can read.
answer=$(curl -sS --fail-with-body -K - -T "$picture" '@TO@' <<'END'
@LOGIN@
END
) || fail "${answer:-the server does not answer}"
printf '%s\n' "$answer"
case $answer in http*) ;; *) exit 0 ;; esac
if [ -n "${WAYLAND_DISPLAY-}" ] && has wl-copy; then printf %s "$answer" | wl-copy >/dev/null
elif has pbcopy; then printf %s "$answer" | pbcopy
elif has xclip; then printf %s "$answer" | xclip -selection clipboard >/dev/null
elif has xsel; then printf %s "$answer" | xsel --clipboard --input
fi
