import { Effect } from "effect"
import { textAt } from "../../operations/textAt.ts"
import { newCase } from "../newCase.ts"
import { say } from "../say.ts"
import { type Bench, startBench } from "../startBench.ts"
import { makeSender } from "../webhooks/makeSender.ts"
import { serveReceiver } from "../webhooks/serveReceiver.ts"
import { takeTimesAtRest } from "../webhooks/takeTimesAtRest.ts"

const aim = 1.5

/** Makes a sandbox with cases whose events no endpoint takes, so that each of them is due ten times. Returns a function that calls its API. */
const makeBusySandbox = async ({ admin, gatewayUrl, organizationId }: Bench, cases: number, url: string) => {
  const issued = await Effect.runPromise(
    admin.call("POST", `/organizations/${organizationId}/api-keys`, { mode: "test" })
  )
  const productId = await Effect.runPromise(
    admin.create(`/organizations/${textAt(issued, "organizationId")}/products`, { name: "Bench" })
  )
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${gatewayUrl}/api/v1${path}`, {
      method,
      headers: { "cv-api-key": textAt(issued, "key"), "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }
  await call("POST", "/webhook-endpoints", { url })
  for (let made = 0; made < cases; made += 1) await call("POST", "/cases", newCase(productId))
  return call
}

/**
 * Measures the time from an answer to the first attempt at its event, of an organization at rest, and while the clock of a sandbox moves by
 * a year through thousands of due deliveries. Returns the ratio if it is over the aim.
 */
export const clock = Effect.fnUntraced(function* ({ cases }: { readonly cases: number }) {
  const bench = yield* startBench({ isProduction: false })
  return yield* Effect.promise(async () => {
    const receiver = await serveReceiver()
    const failing = await serveReceiver((response) => void response.writeHead(500).end())
    const sender = await makeSender(bench, receiver.url, newCase(bench.productId))
    const call = await makeBusySandbox(bench, cases, failing.url)
    const atRest = await takeTimesAtRest(receiver, sender.one)
    const moved = call("POST", "/test/clock/advance", { by: "P1Y" })
    const moving = await takeTimesAtRest(receiver, sender.one)
    const state = await call("GET", "/test/clock")
    await moved
    say(`The clock while it moved: ${JSON.stringify(state)}, after ${failing.count()} attempts`)
    const ratio = moving / atRest
    const isMet = ratio <= aim
    say(`From the answer to the first attempt: ${atRest.toFixed(0)} ms at rest, ${moving.toFixed(0)} ms while it moves`)
    say(`Ratio: ${ratio.toFixed(2)} (aim: ${aim})${isMet ? "" : "  <- over the aim"}`)
    receiver.close()
    failing.close()
    return isMet ? [] : [ratio]
  })
})
