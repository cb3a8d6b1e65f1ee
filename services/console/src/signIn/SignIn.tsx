import { useQuery } from "@tanstack/react-query"
import { Navigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { sessionQuery } from "../session/session.ts"
import { Announcements } from "../shell/Announcements.tsx"
import { CodeStep } from "./CodeStep.tsx"
import { EmailStep } from "./EmailStep.tsx"
import { EnrolStep } from "./EnrolStep.tsx"
import { SecondFactorStep } from "./SecondFactorStep.tsx"
import { sessionHasEnded, signOnFailed } from "./signOnFailed.ts"

const Steps = () => {
  const { ended, error, next = "/" } = useSearch({ from: "/sign-in" })
  // The route has read it. Each step puts the session that it got there.
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  const [email, setEmail] = useState<string>()
  // The path of `href` counts, with its search parameters; the types require `to`.
  if (session?.state === "ACTIVE") return <Navigate to="/" href={next} replace />
  if (session !== undefined) {
    return session.hasPasskeys ? <SecondFactorStep name={session.user.firstName} /> : <EnrolStep />
  }
  return email === undefined ? (
    <EmailStep
      failure={error !== undefined ? signOnFailed(error) : ended === true ? sessionHasEnded : null}
      onSent={setEmail}
    />
  ) : (
    <CodeStep email={email} onBack={() => setEmail(undefined)} />
  )
}

/** The sign-in, step by step. A sign-in that was begun goes on at its step. */
export const SignIn = () => (
  <>
    <Steps />
    <Announcements />
  </>
)
