import { useMutation } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { send } from "../client/send.ts"
import { staffSession } from "../session/session.ts"
import { useSession } from "../session/useSession.ts"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { Page } from "../ui/Page.tsx"
import { Panel } from "../ui/Panel.tsx"

const form = /^\s*[A-Za-z]{4}-?[A-Za-z]{4}\s*$/

/** Approves or denies the sign-in of a command line that shows a code. */
export const Device = () => {
  const { code: given = "" } = useSearch({ from: "/shell/device" })
  const { user } = useSession()
  const [code, setCode] = useState(given)
  const decide = useMutation({
    mutationFn: (isApproved: boolean) =>
      send(staffSession.approveDevice({ payload: { userCode: code.trim(), isApproved } }))
  })
  if (decide.isSuccess) {
    return (
      <Page title="Approve a device">
        <div role="status">
          {decide.variables ? (
            <Empty title="Approved">The device is signed in as you. Its session is listed under “Your account”.</Empty>
          ) : (
            <Empty title="Denied">The device is not signed in.</Empty>
          )}
        </div>
      </Page>
    )
  }
  return (
    <Page title="Approve a device">
      <div className="max-w-xl">
        <Panel title="A command line wants to sign in as you">
          <p className="rounded-md bg-warn-soft p-3 text-warn">
            Approve only a device in front of you that shows exactly this code, because you have just typed{" "}
            <code>care login</code> there. Whoever sent you a code or a link to this page wants to act as you: deny it.
          </p>
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              decide.mutate(true)
            }}
          >
            <Field
              label="Code of the device"
              hint="Such as BCDF-GHJK."
              autoComplete="off"
              isRequired
              value={code}
              onChange={(text) => setCode(text.toUpperCase())}
              validate={(value) => (form.test(value) ? null : "A code has eight letters, such as BCDF-GHJK.")}
            />
            <p className="break-words">
              The device will be signed in as{" "}
              <strong dir="auto">
                {user.firstName} {user.lastName}
              </strong>{" "}
              ({user.email}).
            </p>
            {decide.error === null ? null : <Failure error={decide.error} />}
            <div className="flex flex-wrap justify-end gap-2">
              <Button isDisabled={!form.test(code) || decide.isPending} onPress={() => decide.mutate(false)}>
                Deny
              </Button>
              <Button look="primary" type="submit" isPending={decide.isPending}>
                Approve
              </Button>
            </div>
          </form>
        </Panel>
      </div>
    </Page>
  )
}
