import { useCover } from "../session/cover.ts"
import { comeBack } from "../session/watchSession.ts"
import { Button } from "../ui/Button.tsx"

/** What is seen in the place of the page while the session is asked for. A short wait has no words. */
export const Cover = () => {
  const cover = useCover()
  if (cover === "OPEN") return null
  return (
    <div
      id="cover"
      role="alertdialog"
      aria-label="Are you still signed in?"
      data-react-aria-top-layer="true"
      className="visible fixed inset-0 z-50 flex flex-col items-center justify-center gap-4 p-6 text-center"
    >
      {cover === "ASKED" ? (
        <p key="asked" className="opacity-100 transition-opacity delay-1000 starting:opacity-0">
          Checking that you are still signed in
        </p>
      ) : (
        <>
          <p role="alert" className="max-w-prose">
            You were away, and the server does not answer. The page is shown again as soon as it says that you are still
            signed in.
          </p>
          <Button autoFocus onPress={comeBack}>
            Try again
          </Button>
        </>
      )}
    </div>
  )
}
