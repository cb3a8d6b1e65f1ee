import { callers, careClockHeader, type Identity } from "@care/domain/http"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Record, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { IdentityTokens, identityHeader } from "../identity/IdentityTokens.ts"
import { layerTestConfig } from "../testing/layerTestConfig.ts"
import { serveRoutes } from "../testing/serveRoutes.ts"
import { TestClocks } from "../time/TestClocks.ts"
import * as Time from "../time/Time.ts"
import { layerAccess } from "./layerAccess.ts"
import { layerIdentity } from "./layerIdentity.ts"

const group = <const Name extends string>(name: Name) =>
  HttpApiGroup.make(name).add(HttpApiEndpoint.get("who", `/${name}` as const, { success: Schema.String }))

class Api extends HttpApi.make("made-up")
  .add(group("partner").middleware(callers.partner.Access))
  .add(group("link").middleware(callers.link.Access))
  .add(group("operator").middleware(callers.operator.Access))
  .add(group("session").middleware(callers.session.Access))
  .add(group("staff").middleware(callers.staff.Access))
  .add(group("pharmacy").middleware(callers.pharmacy.Access))
  .add(group("stripe").middleware(callers.stripe.Access))
  .add(group("scheduling").middleware(callers.scheduling.Access))
  .add(group("service").middleware(callers.service.Access)) {}

const tagOf = ({ _tag }: Identity) => _tag

const handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "partner", (on) =>
    on.handle("who", () => Effect.map(callers.partner.Current, ({ organizationId }) => organizationId))
  ),
  HttpApiBuilder.group(Api, "link", (on) => on.handle("who", () => Effect.map(callers.link.Current, tagOf))),
  HttpApiBuilder.group(Api, "operator", (on) => on.handle("who", () => Effect.map(callers.operator.Current, tagOf))),
  HttpApiBuilder.group(Api, "session", (on) => on.handle("who", () => Effect.map(callers.session.Current, tagOf))),
  HttpApiBuilder.group(Api, "staff", (on) =>
    on.handle("who", () => Effect.map(callers.staff.Current, ({ role }) => role))
  ),
  HttpApiBuilder.group(Api, "pharmacy", (on) => on.handle("who", () => Effect.map(callers.pharmacy.Current, tagOf))),
  HttpApiBuilder.group(Api, "stripe", (on) => on.handle("who", () => Effect.map(callers.stripe.Current, tagOf))),
  HttpApiBuilder.group(Api, "scheduling", (on) =>
    on.handle("who", () => Effect.map(callers.scheduling.Current, tagOf))
  ),
  HttpApiBuilder.group(Api, "service", (on) =>
    on.handle("who", () => Effect.map(callers.service.Current, ({ service }) => service))
  )
)

const organizationId = "3b241101-e2bb-4255-8caf-4136c566a962"
const tokens = IdentityTokens.layer.pipe(Layer.provide(layerTestConfig()))

it.live("a group accepts the callers of its kind, provides their identity, and answers everybody else with 401", () =>
  Effect.gen(function* () {
    const { mint } = yield* IdentityTokens
    const decode = Schema.decodeUnknownSync(callers.partner.Identity)
    const staff = Schema.decodeUnknownSync(callers.staff.Identity)({
      ...{ _tag: "staff", sessionId: organizationId, userId: organizationId, organizationId, role: "SUPPORT" }
    })
    const partner = decode({ _tag: "partner", organizationId, apiKeyId: organizationId })
    const identities: Record.ReadonlyRecord<keyof typeof callers, readonly [Identity, string]> = {
      partner: [partner, organizationId],
      link: [{ _tag: "link" }, "link"],
      operator: [{ _tag: "operator" }, "operator"],
      session: [{ _tag: "session" }, "session"],
      staff: [staff, "SUPPORT"],
      pharmacy: [{ _tag: "pharmacy" }, "pharmacy"],
      stripe: [{ _tag: "stripe" }, "stripe"],
      scheduling: [{ _tag: "scheduling" }, "scheduling"],
      service: [{ _tag: "service", service: "cases" }, "cases"]
    }
    const routes = HttpApiBuilder.layer(Api).pipe(
      Layer.provide(handlers),
      Layer.provide([layerAccess, NodeHttpServer.layerHttpServices])
    )
    const url = yield* serveRoutes(Layer.merge(routes, layerIdentity).pipe(Layer.provide(tokens)))
    for (const groupKind of Record.keys(callers)) {
      for (const [kind, [identity, who]] of Record.toEntries(identities)) {
        const headers = { [identityHeader]: yield* mint(identity) }
        const answer = yield* Effect.promise(() => fetch(`${url}/${groupKind}`, { headers }))
        // The groups of operators accept staff, too.
        const isAccepted = kind === groupKind || (groupKind === "operator" && kind === "staff")
        assert.strictEqual(answer.status, isAccepted ? 200 : 401, `${kind} at ${groupKind}`)
        const text = yield* Effect.promise(() => answer.text())
        if (isAccepted) assert.strictEqual(JSON.parse(text), groupKind === "operator" ? kind : who)
      }
    }
  }).pipe(Effect.provide(tokens))
)

it.live("what is done for a sandbox organization has the time of its clock, which a partner's answer tells", () =>
  Effect.gen(function* () {
    const { mint } = yield* IdentityTokens
    const aheadMillis = 3_600_000
    const times: Array<number> = []
    const note = Effect.flatMap(Time.nowMillis, (now) => Effect.sync(() => String(times.push(now))))
    class Clocks extends HttpApi.make("clocks")
      .add(group("partner").middleware(callers.partner.Access))
      .add(group("service").middleware(callers.service.Access))
      .add(group("operator").middleware(callers.operator.Access)) {}
    const sandbox = { organizationId: OrganizationId.make(organizationId), aheadMillis, resets: 0 }
    const routes = HttpApiBuilder.layer(Clocks).pipe(
      Layer.provide([
        HttpApiBuilder.group(Clocks, "partner", (on) => on.handle("who", () => note)),
        HttpApiBuilder.group(Clocks, "service", (on) => on.handle("who", () => note)),
        HttpApiBuilder.group(Clocks, "operator", (on) => on.handle("who", () => note))
      ]),
      Layer.provide([layerAccess, NodeHttpServer.layerHttpServices]),
      Layer.provide(
        Layer.succeed(TestClocks, {
          of: (organizationId) => Effect.succeed({ organizationId, aheadMillis, resets: 0 }),
          sandboxOf: () => Effect.succeedSome(sandbox)
        })
      )
    )
    const url = yield* serveRoutes(Layer.merge(routes, layerIdentity).pipe(Layer.provide(tokens)))
    const live = { organizationId: OrganizationId.make(organizationId) }
    const partner = { ...live, apiKeyId: ApiKeyId.make(organizationId) }
    const called = Effect.fnUntraced(function* (path: string, identity: Identity) {
      const headers = { [identityHeader]: yield* mint(identity) }
      const before = Date.now()
      const answer = yield* Effect.promise(() => fetch(`${url}/${path}`, { headers }))
      assert.strictEqual(answer.status, 200)
      const clock = answer.headers.get(careClockHeader)
      return {
        isAhead: (times.at(-1) ?? 0) >= before + aheadMillis,
        clock: clock === null ? null : Date.parse(clock) >= before + aheadMillis
      }
    })
    const isTest = true as const
    assert.deepStrictEqual(
      [
        yield* called("partner", callers.partner.Identity.make({ ...partner, isTest })),
        yield* called("partner", callers.partner.Identity.make(partner)),
        yield* called(
          "service",
          callers.service.Identity.make({ service: "auth", testOrganizationId: live.organizationId })
        ),
        yield* called("service", callers.service.Identity.make({ service: "auth" })),
        yield* called("operator", callers.operator.Identity.make({}))
      ],
      [
        { isAhead: true, clock: true },
        { isAhead: false, clock: null },
        { isAhead: true, clock: true },
        { isAhead: false, clock: null },
        // Of the thing that the path names.
        { isAhead: true, clock: null }
      ]
    )
  }).pipe(Effect.provide(tokens))
)

it("every caller is registered under its own kind", () => {
  for (const [name, { kind }] of Record.toEntries(callers)) assert.strictEqual(kind, name)
})
