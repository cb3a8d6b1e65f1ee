// Preloaded into every service that the start command runs: when the start command is gone, however it went, its end of
// the channel closes, and the service stops as if it had been asked to.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()
