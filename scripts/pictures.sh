#!/usr/bin/env bash
# Makes the pictures of the README again, from the real program on the embedded AWS.
#
#   scripts/pictures.sh            all of them, dark and light, into docs/pictures/
#   scripts/pictures.sh FOLDER     into FOLDER: to look at screens without touching the README's
#
# Takes about a minute. Needs what scripts/termshot.sh needs (it installs it), and nothing of yours: the program runs in
# an empty home, without any AWS setting.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
out=${1:-docs/pictures}
mkdir -p "$out"
cargo build --quiet
program=${CARGO_TARGET_DIR:-target}/debug/glueup

# One journey through the wizard; a `shot:` takes a picture. `until:` waits for what the screen will say, so the journey
# does not depend on how fast the machine is, and fails loudly when a screen changes its words.
journey=(
  'until:connect%20a%20Glue%20catalog' 'shot:start'
  'n' 'until:Details' 'text:Lake%20House' 'Tab' 'Tab' 'text:s3://acme-lake/warehouse' 'sleep:0.3' 'shot:details'
  'Enter' 'until:NEW%20CONNECTION' 'text:sales-prod' 'Enter'
  'until:waiting' 'D' 'until:I%20acknowledge' 'shot:ask' 'Space' 'y' 'until:sales-prod%20is%20made'
  'shot:deploy' 'D' 'until:I%20acknowledge' 'Space' 'y'
  'until:Connected.' 'shot:verify'
  'b' 'until:DATABASES' 'sleep:2' 'shot:browse'
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
# the texts and the coloured dumps beside the pictures are for looking, not for keeping
if [ "$out" = docs/pictures ]; then rm -f "$out"/*.txt "$out"/*.ans; fi
ls "$out"/*.png
