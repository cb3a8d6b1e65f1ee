import { useState } from "react"
import { send } from "../client/send.ts"
import { sessionEnded } from "../client/sessionEnded.ts"
import { staffSession } from "../session/session.ts"
import { useSession } from "../session/useSession.ts"
import { Button } from "../ui/Button.tsx"
import { Choice } from "../ui/Choice.tsx"
import { inWords } from "../ui/words.ts"
import { chooseTheme, chosenTheme, themes } from "./theme.ts"

/** Who is signed in, the theme, and the way out. */
export const AccountMenu = () => {
  const { organization, user } = useSession()
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3 text-sm">
      <div className="px-2">
        <p className="font-medium break-words">
          {user.firstName} {user.lastName}
        </p>
        <p className="break-words text-muted">
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
      <Button
        look="quiet"
        onPress={() =>
          void send(staffSession.signOut())
            .catch(() => {})
            .then(sessionEnded)
        }
      >
        Sign out
      </Button>
    </div>
  )
}
