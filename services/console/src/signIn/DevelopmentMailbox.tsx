import { useQuery } from "@tanstack/react-query"
import { send } from "../client/send.ts"
import { staffSignIn } from "../session/usePasskey.ts"
import { Button } from "../ui/Button.tsx"
import { Moment } from "../ui/Moment.tsx"

interface DevelopmentMailboxProps {
  readonly email: string
  readonly onUse: (code: string) => void
}

/** The newest code in the mailbox of development. In production there is no such mailbox, and nothing is shown. */
export const DevelopmentMailbox = ({ email, onUse }: DevelopmentMailboxProps) => {
  const { data: sent } = useQuery({
    queryKey: ["mailbox", email],
    queryFn: ({ signal }) => send(staffSignIn.mailbox({ query: {}, payload: { email } }), signal),
    select: ({ data }) => data,
    retry: false,
    // Messages take a moment.
    refetchInterval: ({ state }) => (state.error === null ? 1_000 : false)
  })
  if (sent === undefined || sent === null) return null
  return (
    <aside
      aria-label="Mailbox of development"
      className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-dashed border-field p-3 text-sm"
    >
      <p>
        Development: the code is <strong className="tracking-wider tabular-nums">{sent.code}</strong>, sent{" "}
        <Moment at={sent.sentAt} />.
      </p>
      <Button isSmall onPress={() => onUse(sent.code)}>
        Use this code
      </Button>
    </aside>
  )
}
