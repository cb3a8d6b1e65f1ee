import { randomUUID } from "node:crypto"
import { PhiCipher } from "@care/phi"
import { ConfigProvider, Effect } from "effect"
import { delayedQueues, scheduledQueues } from "./queues.ts"
import type { World } from "./World.ts"

const nobody = "00000000-0000-0000-0000-000000000000"

const insert = (service: string) => `
  INSERT INTO ${service}.jobs (id, queue_name, organization_id, version, payload, request_id, due_at)
  VALUES ($1, $2, '${nobody}', 1, $3, 'bench', now())
`

// Makes delayed jobs due now, such as checks after some minutes.
const dueNow = (service: string, queue: string) =>
  `UPDATE ${service}.jobs SET due_at = now() WHERE queue_name = '${queue}' AND state = 'pending'`

/** Runs all scheduled work and all delayed jobs of all services once, now, and waits for them. */
export const runScheduled = Effect.fnUntraced(function* ({ database, jobsDone, phiKey }: World) {
  const cipher = yield* Effect.provide(PhiCipher, PhiCipher.layer).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ PHI_KEY: phiKey }))
  )
  for (const [service, queue] of scheduledQueues) {
    const id = randomUUID()
    const payload = cipher.sealBytes(
      Buffer.from(JSON.stringify({ period: 0 })),
      `jobs.payload/${JSON.stringify([service, queue, id])}`
    )
    yield* Effect.promise(() => database.query(insert(service), [id, queue, payload]))
  }
  for (const name of delayedQueues) {
    const [service = "", queue = ""] = name.split(" ")
    yield* Effect.promise(() => database.query(dueNow(service, queue)))
  }
  yield* Effect.promise(jobsDone)
})
