import type { Mode } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { Context, Data, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { findSandbox } from "./sandboxRows.ts"
import { TestOrganization } from "./Time.ts"

/**
 * Whether a fiber works with the test account of a third party without a sandbox of its own: for an event that it signed, or a comparison
 * with it.
 */
export const OnTestAccount = Context.Reference<boolean>("@care/service-kit/time/OnTestAccount", {
  defaultValue: () => false
})

/** Whether the fiber works for a sandbox, or with the test account of a third party. */
export const isTestMode: Effect.Effect<boolean> = Effect.withFiber((fiber) =>
  Effect.succeed(fiber.getRef(TestOrganization) !== undefined || fiber.getRef(OnTestAccount))
)

/** The mode of the fiber, as metrics name it. */
export const currentMode: Effect.Effect<Mode> = Effect.map(isTestMode, (isTest) => (isTest ? "test" : "live"))

/** A sandbox chose that the answer to a request is lost, after the request was done. */
export class AnswerLost extends Data.TaggedError("AnswerLost") {
  override get message() {
    return "The answer was lost, as a sandbox chose"
  }
}

/** What live organizations and sandboxes have each of their own, such as an account at a third party. */
export interface ByMode<A> {
  readonly live: A
  readonly test: A
}

/** Tells sandboxes from live organizations, which have other accounts at third parties. */
export const makeModes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const isSandbox = (organizationId: OrganizationId) => Effect.map(findSandbox(sql, organizationId), Option.isSome)

  return {
    /** Returns whether an organization is of the mode that the fiber works in. */
    isOfMode: Effect.fnUntraced(function* (organizationId: OrganizationId) {
      return (yield* isSandbox(organizationId)) === (yield* isTestMode)
    }),

    /**
     * Returns what a call of a third party has to use: the member of the organization's mode, or for no organization that of the fiber's. The
     * other member is no fallback. The organization is looked up, because operators work for a sandbox without its mode.
     */
    choose: Effect.fnUntraced(function* <A>({ live, test }: ByMode<A>, organizationId: OrganizationId | undefined) {
      if (yield* isTestMode) return test
      return organizationId !== undefined && (yield* isSandbox(organizationId)) ? test : live
    }),

    /** Works for an organization, in its mode and at its time. */
    workFor: <A, E, R>(organizationId: OrganizationId, work: Effect.Effect<A, E, R>) =>
      Effect.flatMap(findSandbox(sql, organizationId), (found) =>
        Effect.provideService(work, TestOrganization, Option.getOrUndefined(found))
      )
  }
})
