import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { SMTPServer } from "smtp-server"

/**
 * Starts a mail server that accepts and drops everything, in this process, so that its work counts for neither side. `heardDuring` returns
 * the mails that arrived while an effect ran.
 */
export const startMailSink = Effect.gen(function* () {
  let hear: (mail: string) => void = () => {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onData: (stream, _session, done) =>
      text(stream).then((mail) => {
        hear(mail)
        done()
      }, done)
  })
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      const listening = server.listen(0, "127.0.0.1", () => {
        const address = listening.address()
        if (address !== null && typeof address === "object") resume(Effect.succeed(address.port))
      })
    }),
    () => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
  )
  // A client that disconnects is not a failure of the benchmark.
  server.on("error", () => {})

  const heardDuring = <E, R>(work: Effect.Effect<unknown, E, R>) =>
    Effect.suspend(() => {
      const mails: Array<string> = []
      hear = (mail) => mails.push(mail)
      return work.pipe(
        Effect.ensuring(
          Effect.sync(() => {
            hear = () => {}
          })
        ),
        Effect.as<ReadonlyArray<string>>(mails)
      )
    })
  return { url: `smtp://127.0.0.1:${port}`, heardDuring }
})

export type MailSink = Effect.Success<typeof startMailSink>
