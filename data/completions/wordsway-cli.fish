# Completion of wordsway-cli for fish.

set -l commands features attention ws nudge curve swap context tokens info help
set -l of_context features attention ws nudge swap context
set -l of_ready features attention ws nudge curve context
set -l of_rows features attention ws nudge curve swap context
set -l of_text features attention ws nudge curve swap context tokens

complete -c wordsway-cli -f
complete -c wordsway-cli -s h -l help -d 'Show the help'
complete -c wordsway-cli -l version -d 'Show the version'

complete -c wordsway-cli -n __fish_use_subcommand -a features -d 'Write the features of a context'
complete -c wordsway-cli -n __fish_use_subcommand -a attention -d 'Write the attention weights of a context'
complete -c wordsway-cli -n __fish_use_subcommand -a ws -d 'Search for the word sensitivity of a context'
complete -c wordsway-cli -n __fish_use_subcommand -a nudge -d 'Show what one nudge does to the attention'
complete -c wordsway-cli -n __fish_use_subcommand -a curve -d 'Measure word sensitivity over context length'
complete -c wordsway-cli -n __fish_use_subcommand -a swap -d 'Rank all words in the place of a token'
complete -c wordsway-cli -n __fish_use_subcommand -a context -d 'Write the context itself'
complete -c wordsway-cli -n __fish_use_subcommand -a tokens -d 'Show the tokens of a text'
complete -c wordsway-cli -n __fish_use_subcommand -a info -d 'Show what a set holds'
complete -c wordsway-cli -n __fish_use_subcommand -a help -d 'Show the help of a command'
complete -c wordsway-cli -n '__fish_seen_subcommand_from help' -a "$commands"

# The context.
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text info" -l set -rF -a '(wordsway-cli info --set list 2>/dev/null)' -d 'Embedding set'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text info" -l member -x -d 'Which array inside the set'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text info" -l words -rF -d 'File with the words of the rows'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text info" -l column -x -d 'Column of that list'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text info" -l read-as -x -a 'glove word2vec tensors' -d 'What the lines of a text hold'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text" -l unknown -x -a 'vector skip random' -d 'Words that the set lacks'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text" -l text -x -d 'Text whose tokens are the rows'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text" -l text-file -rF -d 'File with that text'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text" -l ids -x -d 'Token ids in place of a text'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_text" -l no-special -d 'Leave out special tokens'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_ready" -l context -rF -d 'Rows of the context'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_rows" -l layer -x -a 'word 0 1 2 3 4 5 6' -d 'Layer of the rows'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_rows" -l normalise -x -a 'paper none centre' -d 'How rows are scaled'
complete -c wordsway-cli -n "__fish_seen_subcommand_from $of_context" -l dims -x -d 'Keep the first D dimensions'

# The weights.
complete -c wordsway-cli -n '__fish_seen_subcommand_from features ws swap' -l map -x -a 'rf relu-raf raf drf' -d 'Feature map'
complete -c wordsway-cli -n '__fish_seen_subcommand_from attention nudge' -l map -x -a 'relu-raf raf' -d 'Attention map'
complete -c wordsway-cli -n '__fish_seen_subcommand_from features attention ws swap' -l weights -rF -d 'Weights'
complete -c wordsway-cli -n '__fish_seen_subcommand_from features attention ws nudge curve swap' -l seed -x -d 'Seed of everything random'
complete -c wordsway-cli -n '__fish_seen_subcommand_from features ws curve swap' -l features -x -a '4096 nd' -d 'Number of features of rf'
complete -c wordsway-cli -n '__fish_seen_subcommand_from features ws curve swap' -l depth -x -a '2 4 8' -d 'Layers of drf'
complete -c wordsway-cli -n '__fish_seen_subcommand_from features ws curve swap' -l width -x -a '512 1024 2048' -d 'Units of each layer of drf'
complete -c wordsway-cli -n '__fish_seen_subcommand_from attention' -l head -x -a 'mean all 0' -d 'Trained attention of a head'

# The search and the nudge.
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws' -l token -x -a '0 all' -d 'Token that is nudged'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge' -l token -x -d 'Token that is nudged'
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l token -x -a 'first all' -d 'Token that is nudged'
complete -c wordsway-cli -n '__fish_seen_subcommand_from swap' -l token -x -a '0 all' -d 'Token that is replaced'
complete -c wordsway-cli -n '__fish_seen_subcommand_from swap' -l top -x -d 'How many words to show'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws curve' -l radius -x -d 'Largest nudge in units of sqrt(d)'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws nudge curve' -l effort -x -a 'quick normal thorough' -d 'How long to search'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws curve' -l bound -x -a 'none quick tight' -d 'Certified upper bound'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws' -l delta -rF -d 'Write the nudge found'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge' -l toward -x -d 'Word that the nudge goes toward'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge' -l amount -x -a '0.25 0.5 1' -d 'Part of the way to that word'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge' -l direction -x -a 'worst random' -d 'Direction of the nudge'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge' -l length -x -d 'Length of the nudge in units of sqrt(d)'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge' -l radius -x -d 'Radius of the search in units of sqrt(d)'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge' -l n -x -d 'Only the first rows'

# The curve.
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l maps -x -a 'rf,relu-raf,raf rf,relu-raf,raf,drf rf relu-raf raf drf' -d 'Feature maps'
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l n -x -d 'Context lengths'
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l d -x -d 'Dimensions'
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l synthetic -d 'Gaussian rows in place of a text'
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l trials -x -d 'Trials at each point'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws' -l theory -d 'What the weights of rf predict'
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l theory -d 'Draw what theory says'
complete -c wordsway-cli -n '__fish_seen_subcommand_from curve' -l threads -x -d 'Number of threads'

# Where it goes.
complete -c wordsway-cli -n '__fish_seen_subcommand_from features attention nudge curve context' -l output -rF -d 'Where it goes'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge curve' -l size -x -d 'Size of a figure in cm'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge curve' -l dpi -x -d 'Resolution of a .png'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge curve' -l format -x -a 'svg pdf png csv json' -d 'Format in place of the ending'
complete -c wordsway-cli -n '__fish_seen_subcommand_from nudge curve' -l style -x -a 'default dark large' -d 'Style of a figure'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws swap' -l provenance -d 'With --json: what it was made from'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws swap tokens info' -l json -d 'Print one JSON object'
complete -c wordsway-cli -n '__fish_seen_subcommand_from ws curve swap' -l progress -d 'Show progress'
