import { randomUUID } from "node:crypto"
import type { EscalationType, NewEscalation } from "@care/domain/cases"
import { type CaseId, EscalationId, type OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { makePatientKeys } from "@care/phi"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { layerStoredCases as layerCases, makeCase, makeClinic, readActivity } from "../../test/storedCases.ts"
import { Cases } from "../case/lifecycle/Cases.ts"
import { People } from "../case/people/People.ts"
import { Escalations } from "./Escalations.ts"
import { type EscalationRow, makeEscalationsRepo } from "./EscalationsRepo.ts"

const support = UserId.make(randomUUID())
const layerSupport = Layer.mock(People, {
  members: () => Effect.succeed(new Map()),
  staff: () =>
    Effect.succeed({
      id: support,
      email: "sam@example.com",
      firstName: "Sam",
      lastName: "Cole",
      role: "SUPPORT",
      phoneNumber: "",
      isActive: true,
      createdAt: new Date(0),
      updatedAt: new Date(0)
    })
})

const TestLayer = Escalations.layer.pipe(
  Layer.provide([layerSupport, Once.layer, layerIdleJobs]),
  Layer.provideMerge(layerCases)
)

layer(TestLayer, { excludeTestServices: true, timeout: "60 seconds" })("Escalations", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const { organizationId } = yield* makeClinic
    return { organizationId, caseId: (yield* makeCase(organizationId)).id }
  })

  const rowOf = (
    organizationId: OrganizationId,
    caseId: CaseId,
    type: EscalationType,
    title: string
  ): EscalationRow => ({
    organizationId,
    id: EscalationId.make(randomUUID()),
    caseId,
    type,
    title,
    note: null,
    followUpDueAt: null,
    assignedToUserId: null,
    isCompleted: false,
    createdAt: new Date(0),
    updatedAt: new Date(0)
  })

  it.effect("a case has one active escalation of each type and title, also when they are stored in parallel", () =>
    Effect.gen(function* () {
      const { caseId, organizationId } = yield* clinicWithCase
      const repo = yield* makeEscalationsRepo
      const { id: otherCase, userId } = yield* makeCase(organizationId)
      const key = yield* (yield* makePatientKeys).of(organizationId, userId)
      const row = () => rowOf(organizationId, caseId, "support", "Cancellation")
      const others = [
        row(),
        rowOf(organizationId, caseId, "clinical", "Cancellation"),
        rowOf(organizationId, caseId, "support", "cancellation"),
        rowOf(organizationId, otherCase, "support", "Cancellation")
      ]
      const first = row()
      const [held, stored] = yield* whileHeld(
        repo.insert(key, [first]),
        others.map((other) => repo.insert(key, [other]))
      )
      assert.deepStrictEqual(held, [{ id: first.id }])
      assert.deepStrictEqual(
        stored.map((ids) => ids.length),
        [0, 1, 1, 1]
      )
      yield* repo.complete(organizationId, first.id, new Date(1))
      assert.lengthOf(yield* repo.insert(key, [row()]), 1)
    })
  )

  it.effect("the second of two parallel additions waits, and is refused because the escalation is active", () =>
    Effect.gen(function* () {
      const { caseId, organizationId } = yield* clinicWithCase
      const escalations = yield* Escalations
      const cancel = { type: "support", title: "Cancellation" } as const
      const review = { type: "clinical", title: "Lab Review" } as const
      const [added, others] = yield* whileHeld(escalations.add(organizationId, caseId, [cancel], undefined), [
        Effect.result(escalations.add(organizationId, caseId, [review, cancel], undefined)),
        Effect.result(escalations.add(organizationId, caseId, [cancel], undefined))
      ])
      assert.lengthOf(added, 1)
      for (const other of others) {
        const error = Result.isFailure(other) ? other.failure : assert.fail("it was added twice")
        assert.strictEqual(error._tag, "EscalationActive")
      }
      assert.lengthOf(yield* readActivity(organizationId, caseId), 1)
    })
  )

  it.effect("the care team's addition waits for the partner's, and is refused because the escalation is active", () =>
    Effect.gen(function* () {
      const { caseId, organizationId } = yield* clinicWithCase
      const service = yield* Escalations
      const [cancel, review] = [
        { type: "support", title: "Cancellation" },
        { type: "clinical", title: "Lab Review" }
      ] as const
      const escalate = (escalations: ReadonlyArray<NewEscalation>) => service.escalate(caseId, escalations)
      const [, [refused]] = yield* whileHeld(service.add(organizationId, caseId, [cancel], undefined), [
        Effect.flip(escalate([review, cancel]))
      ])
      assert.deepInclude(refused, { _tag: "EscalationActive", title: "Cancellation" })
      assert.lengthOf(yield* escalate([review]), 2)
      assert.lengthOf(yield* readActivity(organizationId, caseId), 2)
    })
  )

  it.effect("a completion and an addition of the same escalation wait for each other, in either order", () =>
    Effect.gen(function* () {
      const { caseId, organizationId } = yield* clinicWithCase
      const [cases, escalations] = [yield* Cases, yield* Escalations]
      const cancel = { type: "support", title: "Cancellation" } as const
      const adds = Effect.ignore(escalations.add(organizationId, caseId, [cancel], undefined))
      let changes = 0
      for (const isAddedFirst of [true, false]) {
        yield* adds
        const active = (yield* (yield* makeEscalationsRepo).active(organizationId, caseId))[0] ?? assert.fail("none")
        const completes = Effect.ignore(escalations.complete(active.id))
        // Both wait for the case, and go on at once when they have it.
        const details = { commentId: "held" }
        yield* whileHeld(
          cases.record(organizationId, caseId, { type: "NOTE_ADDED", details }),
          isAddedFirst ? [adds, completes, completes] : [completes, adds, completes]
        )
        const activity = yield* readActivity(organizationId, caseId)
        const completed = activity.filter(
          ({ details, type }) => type === "ESCALATION_COMPLETED" && details["escalationId"] === active.id
        )
        assert.lengthOf(completed, 1)
        assert.isAbove(activity.length, changes)
        changes = activity.length
      }
    })
  )
})
