import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { RecoveryCodes } from "../session/RecoveryCodes.tsx"
import { sessionQuery, staffSession } from "../session/session.ts"
import { useSession } from "../session/useSession.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirmation } from "../ui/Confirmation.tsx"
import { Panel } from "../ui/Panel.tsx"

/** How many recovery codes are left, and new ones. */
export const RenewRecoveryCodes = () => {
  const client = useQueryClient()
  const { recoveryCodesLeft } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [codes, setCodes] = useState<ReadonlyArray<string>>()
  return (
    <Panel
      title="Recovery codes"
      actions={codes === undefined && <Button onPress={() => setAsking(true)}>Make new ones</Button>}
    >
      {codes === undefined ? (
        <p>
          With a recovery code you sign in without your passkey.{" "}
          <Badge look={recoveryCodesLeft < 3 ? "warn" : "plain"} text={`${recoveryCodesLeft} of 10 left`} />
        </p>
      ) : (
        <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
      )}
      <Confirmation
        title="Make new recovery codes"
        action="Make new codes"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          const { data } = await send(staffSession.renewRecoveryCodes())
          setCodes(data)
          await client.invalidateQueries(sessionQuery)
        }}
      >
        <p>You get ten new codes. The {recoveryCodesLeft} that are left stop working.</p>
      </Confirmation>
    </Panel>
  )
}
