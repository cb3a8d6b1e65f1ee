import { Argument, Command } from "effect/cli"

/** Prints the script that completes commands in a shell. `runCare` runs it as the library's flag `--completions`. */
export const completion = Command.make("completion", {
  shell: Argument.Literals("shell", ["bash", "zsh", "fish"]).pipe(Argument.withDescription("The shell"))
}).pipe(
  Command.withDescription("Print the script that completes commands in a shell"),
  Command.withExamples([{ command: "source <(care completion bash)", description: "Complete commands in this shell" }])
)
