#!/usr/bin/env bash
# Makes the pictures of the README again, from the real program on the embedded AWS.
#
#   scripts/pictures.sh            those that the README shows, into docs/pictures/
#   scripts/pictures.sh FOLDER     every screen of the journey, dark and light, with texts, into FOLDER: to look at
#
# GLUEUP_PROGRAM names a program that is built already. Takes about a minute. Needs what scripts/termshot.sh needs (it
# installs it) and pngquant, and nothing of yours: the program runs in an empty home, without any AWS setting.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
shown=docs/pictures
out=${1:-$(mktemp -d)}
mkdir -p "$out"
command -v pngquant >/dev/null || { apt-get update -qq; apt-get install -y -qq pngquant >/dev/null; }
program=${GLUEUP_PROGRAM:-}
if [ -z "$program" ]; then
  cargo build --quiet
  program=${CARGO_TARGET_DIR:-target}/debug/glueup
fi

# One journey through the wizard; a `shot:` takes a picture. `until:` waits for what the screen will say, so the journey
# does not depend on how fast the machine is, and fails loudly when a screen changes its words.
journey=(
  'until:connect%20a%20Glue%20catalog' 'shot:start'
  'n' 'until:Details' 'text:Lake%20House' 'Tab' 'Tab' 'text:s3://acme-lake/warehouse' 'sleep:0.3' 'shot:details'
  'Enter' 'until:NEW%20CONNECTION' 'text:prod-account' 'Enter'
  'until:waiting' 'D' 'until:I%20acknowledge' 'shot:ask' 'Space' 'y' 'until:prod-account%20is%20made'
  'shot:deploy' 'D' 'until:I%20acknowledge' 'Space' 'y'
  'until:Connected.' 'shot:verify'
  'b' 'until:DATABASES' 'text:/sales' 'Enter' 'Enter' 'until:orders'
  'Down' 'Down' 'Down' 'Down' 'Down' 'Down' 'Down' 'Down' 'Down' 'Down' 'until:ordered_at' 'sleep:1' 'shot:browse'
  'Escape' 'Escape' 'Escape' 'Escape' 'until:CATALOGS' 'sleep:1' 'shot:home'
)

for theme in dark light; do
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  status=0
  said=$(scripts/termshot.sh "$out/glueup-$theme.png" 100x30 "--$theme" \
    --env "HOME=$home" --env "GLUEUP_HOME=$home/glueup" --env "RUST_BACKTRACE=0" \
    --keys "${journey[*]}" -- "$program" demo 2>&1) || status=$?
  [ -z "$said" ] || printf '%s\n' "$said" >&2
  # termshot goes on when a text does not come; a picture of the wrong screen is worse than none
  if [ "$status" != 0 ] || grep -q "^termshot: no '" <<<"$said"; then
    echo "pictures: the journey did not go as written; look at $out/glueup-$theme.txt" >&2
    exit 1
  fi
  rm -rf "$home"
done
[ $# = 0 ] || { ls "$out"/*.png; exit; }

# A screen has few colours: with 64 of them nothing is lost that an eye could see, and a picture is a third as large.
mkdir -p "$shown"
rm -f "$shown"/*.png
while read -r name picture; do
  pngquant --strip --speed 1 --output "$shown/$name.png" 64 "$out/glueup-$picture.png"
done <<'LIST'
home     dark-home
details  dark-details
ask      dark-ask
verify   dark-verify
browse   dark-browse
light    light-browse
LIST
rm -rf "$out"
ls -l "$shown"
