import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { signOut } from "../session/signOut.ts"
import { useSession } from "../session/useSession.ts"
import { Button } from "../ui/Button.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Failure } from "../ui/Failure.tsx"
import { inWords } from "../ui/words.ts"
import { chooseTheme, chosenTheme, themes } from "./theme.ts"

interface AccountMenuProps {
  readonly onKeys: () => void
}

/** Who is signed in, the settings of this browser, and the way out. */
export const AccountMenu = ({ onKeys }: AccountMenuProps) => {
  const { organization, user } = useSession()
  const [theme, setTheme] = useState(chosenTheme)
  const leave = useMutation({ mutationFn: signOut })
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3 text-sm">
      <div className="px-2">
        <p dir="auto" className="font-medium break-words">
          {user.firstName} {user.lastName}
        </p>
        <p dir="auto" className="break-words text-muted">
          {inWords(user.role)}, {organization.name}
        </p>
      </div>
      <Choice
        label="Theme"
        isLabelHidden
        value={theme}
        options={themes.map((value) => ({ value, text: `Theme: ${value}` }))}
        onChange={(next) => {
          chooseTheme(next)
          setTheme(next)
        }}
      />
      {leave.error === null ? null : <Failure error={leave.error} />}
      <div className="flex gap-1">
        <Button look="quiet" onPress={onKeys}>
          Shortcuts
        </Button>
        <Button look="quiet" isPending={leave.isPending} onPress={() => leave.mutate()}>
          Sign out
        </Button>
      </div>
    </div>
  )
}
