import { BackOfficeApi } from "@care/domain/admin"
import type { CaseSummary } from "@care/domain/cases"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { useState } from "react"
import { clientOf } from "../../client/clientOf.ts"
import { RequestFailed } from "../../client/RequestFailed.ts"
import { send } from "../../client/send.ts"
import { useSession } from "../../session/useSession.ts"
import { announce } from "../../ui/announce.ts"
import { caseChanged } from "../caseChanged.ts"

const { backOffice } = Effect.runSync(clientOf(BackOfficeApi))

/** How the claim of a case ended, in words. */
export interface Claim {
  readonly isMine: boolean
  readonly text: string
  /** When somebody else took it. */
  readonly at?: Date | undefined
}

// Somebody was faster. All other failures are no answer to the question who has the case.
const isLost = (error: Error): error is RequestFailed => error instanceof RequestFailed && error.status === 409

/** Takes cases that have no provider for the person who is signed in, and remembers who has them. */
export const useClaim = () => {
  const { user } = useSession()
  const client = useQueryClient()
  const [claims, setClaims] = useState<ReadonlyMap<string, Claim>>(new Map())
  const settle = (id: string, claim: Claim) => {
    announce(claim.text)
    setClaims((before) => new Map(before).set(id, claim))
  }
  const claim = useMutation({
    mutationFn: ({ id }: CaseSummary) =>
      send(backOffice.assign({ params: { caseId: id }, payload: { providerId: user.id, onlyIfUnassigned: true } })),
    onSuccess: (_, { id, shortId }) => settle(id, { isMine: true, text: `Case ${shortId} is yours.` }),
    onError: (error, { id }) => {
      if (isLost(error)) settle(id, { isMine: false, text: error.message, at: error.at })
    },
    onSettled: (_, __, { id }) => void caseChanged(client, id)
  })
  return {
    claim: claim.mutate,
    claims,
    /** Why the last claim got no answer. */
    error: claim.error === null || isLost(claim.error) ? null : claim.error,
    claimingId: claim.isPending ? claim.variables.id : undefined
  }
}
