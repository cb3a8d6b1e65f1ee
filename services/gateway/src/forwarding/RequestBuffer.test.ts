import { randomUUID } from "node:crypto"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import { assert, it } from "@effect/vitest"
import { RequestBuffer } from "./RequestBuffer.ts"

const idOf = (digit: number) => OrganizationId.make(`${digit}b241101-e2bb-4255-8caf-4136c566a962`)
const [flooding, quiet] = [idOf(1), idOf(2)]

const request = (organizationId: OrganizationId) => ({
  organizationId,
  id: randomUUID(),
  at: new Date("2026-11-27T10:00:00Z"),
  method: "GET",
  path: "/api/v1/events",
  status: 200,
  durationMs: 3,
  requestId: randomUUID(),
  apiKeyId: ApiKeyId.make("3b241101-e2bb-4255-8caf-4136c566a962"),
  errorCode: null,
  version: null
})

it("an organization that floods takes its share alone, and what it lost is told with its batch", () => {
  const buffer = new RequestBuffer(100)
  const kept = Array.from({ length: 500 }, () => buffer.add(request(flooding))).filter((isKept) => isKept)
  assert.lengthOf(kept, 50)
  assert.isTrue(Array.from({ length: 25 }, () => buffer.add(request(quiet))).every((isKept) => isKept))
  const batch = buffer.peek()
  assert.strictEqual(batch?.requests.length, 75)
  assert.deepStrictEqual(
    batch?.dropped.map(({ organizationId }) => organizationId),
    [flooding]
  )
})

it("a batch is sent again as it was until it is stored, and an organization that waits keeps its requests", () => {
  const buffer = new RequestBuffer(100)
  const [first, second, other] = [request(flooding), request(flooding), request(quiet)]
  buffer.add(first)
  buffer.add(other)
  const batch = buffer.peek()
  buffer.add(second)
  assert.deepStrictEqual(
    buffer.peek()?.requests.map(({ id }) => id),
    [first.id, second.id, other.id]
  )
  if (batch !== undefined) buffer.remove(batch, { waiting: [quiet], full: [] })
  const next = buffer.peek()
  assert.sameMembers(next?.requests.map(({ id }) => id) ?? [], [second.id, other.id])
  if (next !== undefined) buffer.remove(next, { waiting: [], full: [] })
  assert.isUndefined(buffer.peek())
})

it("an organization that has its share of a day is full until the next day, and its neighbour is not", () => {
  const buffer = new RequestBuffer(100)
  const until = new Date("2026-11-28T00:00:00Z")
  buffer.add(request(flooding))
  const batch = buffer.peek()
  if (batch !== undefined) buffer.remove(batch, { waiting: [], full: [{ organizationId: flooding, until }] })
  assert.isTrue(buffer.isFull(flooding, until.getTime() - 1))
  assert.isFalse(buffer.isFull(quiet, until.getTime() - 1))
  assert.isFalse(buffer.isFull(flooding, until.getTime()))
})
