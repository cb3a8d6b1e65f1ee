import { Effect } from "effect"
import { textAt } from "../../operations/textAt.ts"
import { newCase } from "../newCase.ts"
import { say } from "../say.ts"
import { type Bench, startBench } from "../startBench.ts"
import { makeSender } from "../webhooks/makeSender.ts"
import { serveReceiver } from "../webhooks/serveReceiver.ts"
import { takeTimesAtRest } from "../webhooks/takeTimesAtRest.ts"

const aim = 1.5

// Far more than a partner has, due one after the other for most of a year, and jobs that are never due.
const manyWaiting = `
  WITH waiting AS (
    INSERT INTO cases.webhook_deliveries (
      organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left, next_attempt_at,
      created_at
    )
    SELECT $1::uuid, gen_random_uuid(), $2::uuid, gen_random_uuid(), 'case.closed', gen_random_uuid(), n, 'PENDING', 1, 9,
           now() + n * interval '20 minutes', now()
    FROM generate_series(1, 20000) n
    RETURNING *
  ),
  jobs AS (
    INSERT INTO cases.jobs (id, queue_name, organization_id, version, payload, request_id, due_at)
    SELECT gen_random_uuid(), 'webhook-replay', $1::uuid, 1, '', '', now() + interval '20 years' FROM generate_series(1, 5000)
  )
  INSERT INTO cases.delivery_lanes (organization_id, endpoint_id, lane, waiting, due_at, changed_at)
  SELECT organization_id, endpoint_id, lane, 1, next_attempt_at, now() FROM waiting
`

/** Makes a sandbox with cases, an endpoint that takes few events, and thousands of deliveries and jobs that wait. */
const makeBusySandbox = async (bench: Bench, cases: number, url: string) => {
  const { admin, database, gatewayUrl } = bench
  const issued = await Effect.runPromise(
    admin.call("POST", `/organizations/${bench.organizationId}/api-keys`, { mode: "test" })
  )
  const organizationId = textAt(issued, "organizationId")
  const productId = await Effect.runPromise(
    admin.create(`/organizations/${organizationId}/products`, { name: "Bench" })
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
  const addCase = () => call("POST", "/cases", newCase(productId))
  const endpointId = textAt(await call("POST", "/webhook-endpoints", { url }), "data", "id")
  for (let made = 0; made < cases; made += 1) await addCase()
  await database.query(manyWaiting, [organizationId, endpointId])
  return { call, addCase }
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Moves the clock of a sandbox hour by hour, and makes events there, until it is stopped. Returns how many hours it moved. */
const keepMoving = ({ addCase, call }: Awaited<ReturnType<typeof makeBusySandbox>>) => {
  const state = { isOver: false, hours: 0 }
  const isMoving = async () => JSON.stringify(await call("GET", "/test/clock")).includes('"MOVING"')
  const move = async () => {
    while (!state.isOver) {
      await call("POST", "/test/clock/advance", { by: "PT1H" })
      while (await isMoving()) await pause(100)
      state.hours += 1
    }
  }
  const add = async () => {
    while (!state.isOver) {
      await addCase()
      await pause(2000)
    }
  }
  const both = Promise.all([move(), add()])
  return async () => {
    state.isOver = true
    await both
    return state.hours
  }
}

/**
 * Measures the time from an answer to the first attempt at its event, of an organization at rest, and while the clock of a sandbox moves,
 * in which thousands of deliveries wait and new events happen. Returns the ratio if it is over the aim.
 */
export const clock = Effect.fnUntraced(function* ({ cases }: { readonly cases: number }) {
  const bench = yield* startBench({ isProduction: false })
  return yield* Effect.promise(async () => {
    const receiver = await serveReceiver()
    let asked = 0
    const failing = await serveReceiver((response) => {
      asked += 1
      response.writeHead(asked % 10 === 0 ? 204 : 500).end()
    })
    const sender = await makeSender(bench, receiver.url, newCase(bench.productId))
    const sandbox = await makeBusySandbox(bench, cases, failing.url)
    const atRest = await takeTimesAtRest(receiver, sender.one)
    const attempts = failing.count()
    const stop = keepMoving(sandbox)
    const moving = await takeTimesAtRest(receiver, sender.one)
    const hours = await stop()
    say(`The clock moved by ${hours} hours, with ${failing.count() - attempts} attempts`)
    const ratio = moving / atRest
    const isMet = ratio <= aim
    say(`From the answer to the first attempt: ${atRest.toFixed(0)} ms at rest, ${moving.toFixed(0)} ms while it moves`)
    say(`Ratio: ${ratio.toFixed(2)} (aim: ${aim})${isMet ? "" : "  <- over the aim"}`)
    receiver.close()
    failing.close()
    return isMet ? [] : [ratio]
  })
})
