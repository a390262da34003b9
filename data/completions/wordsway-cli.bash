# Completion of wordsway-cli for bash.

# The options of each command, a value for those that take one word of a few, files for the rest.
_wordsway_cli_options ()
{
  local context="--context --set --member --words --column --read-as --unknown --text --text-file --ids --no-special --layer --normalise"
  local common="--help --version"

  case "$1" in
    features) echo "$context $common --dims --map --weights --seed --features --depth --width --output" ;;
    attention) echo "$context $common --dims --map --weights --seed --head --output" ;;
    ws) echo "$context $common --dims --map --weights --seed --features --depth --width --token --radius --effort --bound --theory --delta --json --provenance --progress" ;;
    nudge) echo "$context $common --dims --map --token --toward --amount --direction --length --radius --n --seed --effort --output --format --size --dpi --style" ;;
    curve) echo "$context $common --maps --n --d --synthetic --trials --seed --token --radius --effort --bound --features --depth --width --theory --threads --progress --output --format --size --dpi --style" ;;
    swap) echo "${context#--context } $common --dims --map --weights --seed --features --depth --width --token --top --json --provenance --progress" ;;
    context) echo "$context $common --dims --output" ;;
    tokens) echo "--set --member --words --column --read-as --unknown --text --text-file --ids --no-special --json $common" ;;
    info) echo "--set --member --words --column --read-as --json $common" ;;
  esac
}

_wordsway_cli ()
{
  local commands="features attention ws nudge curve swap context tokens info help"
  local current="${COMP_WORDS[COMP_CWORD]}"
  local previous="${COMP_WORDS[COMP_CWORD-1]}"
  local command="${COMP_WORDS[1]}"
  local words=""

  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then
    words="$commands"
    [ "$COMP_CWORD" -eq 1 ] && words="$words --help --version"
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi

  case "$previous" in
    --map)
      words="raf relu-raf"
      case "$command" in features|ws|swap) words="rf $words drf" ;; esac ;;
    --maps) words="rf,relu-raf,raf rf,relu-raf,raf,drf rf relu-raf raf drf" ;;
    --effort) words="quick normal thorough" ;;
    --bound) words="none quick tight" ;;
    --normalise) words="paper none centre" ;;
    --direction) words="worst random" ;;
    --format) words="svg pdf png csv json" ;;
    --amount) words="0.25 0.5 1" ;;
    --style) words="default dark large" ;;
    --layer) words="word 0 1 2 3 4 5 6" ;;
    --read-as) words="glove word2vec tensors" ;;
    --unknown) words="vector skip random" ;;
    --head) words="mean all 0" ;;
    --features) words="nd 4096" ;;
    --depth) words="2 4 8" ;;
    --width) words="512 1024 2048" ;;
    --token)
      case "$command" in curve) words="first all" ;; ws|swap) words="0 all" ;; *) words="0" ;; esac ;;
    --member|--column|--text|--toward|--ids|--dims|--seed|--radius|--length|--n|--d|--trials|--threads|--size|--dpi|--top) return ;;
    --context|--weights|--words|--output|--delta|--text-file)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --set)
      mapfile -t COMPREPLY < <(compgen -W "$(wordsway-cli info --set list 2>/dev/null) list" -- "$current"; compgen -f -- "$current")
      return ;;
    *)
      if [ "$command" = info ] && [[ "$current" != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(wordsway-cli info --set list 2>/dev/null)" -- "$current"; compgen -f -- "$current")
        return
      fi
      words="$(_wordsway_cli_options "$command")" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o filenames -F _wordsway_cli wordsway-cli
