import { type CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { layerJobs } from "@care/jobs"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { layerStoredCases, layerStoredPeople, makeCase, readCase } from "../../../test/storedCases.ts"
import { Directory } from "../directory/Directory.ts"
import { AssignmentFeature } from "./AssignmentFeature.ts"
import { AssignmentJobs } from "./AssignmentJobs.ts"

const newId = () => crypto.randomUUID()
const [large, small] = [OrganizationId.make(newId()), OrganizationId.make(newId())]
const provider = UserId.make(newId())
const answer = Deferred.makeUnsafe<void>()

/** Auth, which answers about the large organization only after `answer`. */
const layerDirectory = Layer.mock(Directory, {
  providers: (organizationId) =>
    Effect.as(organizationId === large ? Deferred.await(answer) : Effect.void, [
      readPersonSnapshot(organizationId, provider, 1, { role: "PROVIDER" })
    ])
})

const TestLayer = AssignmentFeature.pipe(
  Layer.provideMerge(AssignmentJobs.layer),
  Layer.provide([layerJobs, layerDirectory, layerStoredPeople]),
  Layer.provideMerge(layerStoredCases)
)

layer(TestLayer, { excludeTestServices: true })("assignment", (it) => {
  const wait = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const { id } = yield* makeCase(organizationId)
    yield* Effect.flatMap(AssignmentJobs, ({ offer }) => offer({ organizationId, caseId: id }))
    return id
  })
  const untilAssigned = (organizationId: OrganizationId, id: CaseId) =>
    until(readCase(organizationId, id), ({ assignedTo }) => assignedTo === provider).pipe(Effect.timeout("5 seconds"))

  it.effect("of a case does not wait for the many cases of another organization", () =>
    Effect.gen(function* () {
      const many = yield* Effect.replicateEffect(wait(large), 30)
      yield* untilAssigned(small, yield* wait(small))
      const [first] = many
      if (first === undefined) return assert.fail("There are no cases of the large organization")
      assert.isNull((yield* readCase(large, first)).assignedTo)
      yield* Deferred.succeed(answer, undefined)
      for (const id of many) yield* untilAssigned(large, id)
    })
  )
})
