// Preloaded into every process that the start command runs: when the start command is gone, however it went, its end of the
// channel closes, and the process stops as if it had been asked to. It is JavaScript, which needs no stripping of types: that
// would load 25 MB into what has been built.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()
