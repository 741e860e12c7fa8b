# Completion of echo-run's words in fish.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -l first __fish_use_subcommand
complete -c echo-run -n $first -a 'run prepare profile analyze validate calibrate report plans doctor'
complete -c echo-run -n $first -a '(__fish_complete_command)'
complete -c echo-run -l help -d 'print help'
complete -c echo-run -n $first -l version -d 'print the version'
complete -c echo-run -n "$first; or __fish_seen_subcommand_from run" -s q -l quiet -d 'say nothing'
complete -c echo-run -n '__fish_seen_subcommand_from run' -r -l plan -d 'use this plan'
complete -c echo-run -n "$first; or __fish_seen_subcommand_from run" -x -l watch -d 'watch one window in so many'
complete -c echo-run -n '__fish_seen_subcommand_from prepare calibrate' -x -l runs
complete -c echo-run -n '__fish_seen_subcommand_from prepare calibrate validate' -x -l limit
complete -c echo-run -n '__fish_seen_subcommand_from prepare analyze' -l portable
complete -c echo-run -n '__fish_seen_subcommand_from prepare calibrate' -l accept
complete -c echo-run -n '__fish_seen_subcommand_from profile' -r -s o -l output
complete -c echo-run -n '__fish_seen_subcommand_from profile' -x -l trace-bytes
complete -c echo-run -n '__fish_seen_subcommand_from report' -r -l json
complete -c echo-run -n '__fish_seen_subcommand_from report' -r -l html
complete -c echo-run -n '__fish_seen_subcommand_from report' -r -l perfetto
complete -c echo-run -n '__fish_seen_subcommand_from doctor' -x -l device
complete -c echo-run -n '__fish_seen_subcommand_from doctor' -l probe
complete -c echo-run -n '__fish_seen_subcommand_from doctor' -x -l most
complete -c echo-run -n '__fish_seen_subcommand_from plans; and not __fish_seen_subcommand_from list show remove' -xa 'list show remove'
complete -c echo-run -n '__fish_seen_subcommand_from show remove' -xa '(echo-run plans list 2>/dev/null | cut -d" " -f1)'
