// Preloaded into every process that the start command runs. When the start command ends for any reason, the channel closes, and the process
// stops as after SIGTERM. It is JavaScript, because stripping types would load 25 MB into the built programs.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()
