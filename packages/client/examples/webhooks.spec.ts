import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { type CareEvent, verifyWebhook, WebhookRefused } from "@care/client"
import { afterEach, expect, test } from "vitest"
import { care, isLocal, newCase, until } from "./sandbox.ts"

const cleanUps: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** Receives events at a new endpoint, as your own receiver does: it verifies, then answers. */
const receive = async () => {
  const events: Array<CareEvent> = []
  let secret = ""
  const server = createServer(async (request, response) => {
    try {
      const event = await verifyWebhook(await text(request), request.headers, secret)
      // The same event may come twice.
      if (!events.some(({ id }) => id === event.id)) events.push(event)
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookRefused ? 400 : 500).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  cleanUps.push(() => server.close())
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const url = `http://127.0.0.1:${port}/care-events`
  const { data } = await care.webhookEndpoints.create({ url, eventTypes: ["case.created", "case.assigned"] })
  cleanUps.push(() => care.webhookEndpoints.remove(data.id))
  secret = data.secret
  return { events, url }
}

// The API sends to this machine only if it runs on it.
test.runIf(isLocal)("the events of a case arrive signed, in order", async () => {
  const { events } = await receive()
  const { data } = await care.cases.create(await newCase())
  const ofCase = () => events.filter((event) => "caseId" in event.data && event.data.caseId === data.caseId)
  await until(
    async () => ofCase().length,
    (count) => count === 2
  )
  expect(ofCase().map(({ type }) => type)).toEqual(["case.created", "case.assigned"])
})

test.runIf(isLocal)("a forged event is refused", async () => {
  const { events, url } = await receive()
  const headers = {
    "webhook-id": "event-1",
    "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    "webhook-signature": `v1,${btoa("forged".padEnd(32))}`
  }
  const body = JSON.stringify({ type: "case.closed", timestamp: new Date().toISOString(), data: {} })
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400)
  expect(events).toEqual([])
})
