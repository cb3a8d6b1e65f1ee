import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../testing/requests.ts"
import { runGateway } from "../../testing/runGateway.ts"
import { type Handle, resolveKnownKey, upstream } from "../../testing/Upstream.ts"

const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`

/** Answers as a cases service whose organizations have these numbers of open escalations. */
const casesWith =
  (escalations: Readonly<Record<number, number>>): Handle =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://cases")
    const cursor = searchParams.get("cursor")
    const [most, last]: [number, string] =
      cursor === null ? [Number.MAX_SAFE_INTEGER, ""] : JSON.parse(Buffer.from(cursor, "base64url").toString())
    const rows = Object.entries(escalations)
      .map(([number, total]) => ({ organizationId: idOf(Number(number)), total, escalationsOpen: total }))
      .filter(({ organizationId, total }) => total < most || (total === most && organizationId > last))
      .toSorted((a, b) => b.total - a.total || (a.organizationId < b.organizationId ? -1 : 1))
      .slice(0, Number(searchParams.get("limit")))
      .map((row) => ({ deliveriesFailed: 0, endpointsFailing: 0, ordersInError: 0, casesWaiting: 0, ...row }))
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(rows))
  }

it.live("the organizations of all cells come worst first, each once, page by page", () =>
  Effect.gen(function* () {
    const c2 = yield* upstream(resolveKnownKey, casesWith({ 2: 9, 4: 3, 6: 3 }))
    const services = { auth: c2.url, cases: c2.url, payments: c2.url, scheduling: c2.url }
    const { url } = yield* runGateway({
      handle: casesWith({ 1: 100, 3: 3, 5: 1 }),
      environment: { CELLS: JSON.stringify({ c2: { ...services, internalSecret: "secret-of-c2" } }) }
    })
    for (const limit of [1, 2, 10]) {
      const seen: Array<string> = []
      let cursor = ""
      do {
        const { json, status } = yield* ask(`${url}/admin/v1/troubles?limit=${limit}${cursor}`, {
          headers: { authorization: "Bearer operator" }
        })
        assert.strictEqual(status, 200)
        seen.push(...json.data.map(({ organizationId }: { readonly organizationId: string }) => organizationId))
        cursor = json.nextCursor === null ? "" : `&cursor=${json.nextCursor}`
      } while (cursor !== "")
      assert.deepStrictEqual(seen, [1, 2, 3, 4, 6, 5].map(idOf))
    }
  })
)
