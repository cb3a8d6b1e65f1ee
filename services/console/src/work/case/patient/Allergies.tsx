import type { AdminCase } from "@care/domain/cases"
import { useQuery } from "@tanstack/react-query"
import { classes } from "../../../ui/classes.ts"
import { answersId } from "../answers/Answers.tsx"
import { patientQuery } from "../data/caseQueries.ts"

const goToAnswers = () => {
  const answers = document.getElementById(answersId)
  answers?.scrollIntoView()
  answers?.focus({ preventScroll: true })
}

interface AllergiesProps {
  readonly caseDetail: AdminCase
  /** Called before the answers are gone to. */
  readonly onLeave?: () => void
}

/** A patient's allergies. An empty profile says nothing about them, so that it leads to the answers, which may. */
export const Allergies = ({ caseDetail: { answersHidden, formResponses, id }, onLeave }: AllergiesProps) => {
  const { data, error } = useQuery(patientQuery(id))
  const text = () => {
    if (data === undefined) return error === null ? "being read" : "could not be read"
    if (data === null) return "removed with the patient"
    if (data.allergies.trim() !== "") return data.allergies
    if (answersHidden) return "none in the profile"
    if (formResponses.length === 0) return "none in the profile, and no form was answered"
    return (
      <>
        none in the profile,{" "}
        <button
          type="button"
          className="underline underline-offset-2"
          onClick={() => {
            onLeave?.()
            goToAnswers()
          }}
        >
          read the answers
        </button>
      </>
    )
  }
  const isKnown = data != null && data.allergies.trim() !== ""
  return (
    <p className={classes("min-w-0 rounded-md px-2 py-1", isKnown ? "bg-bad-soft text-bad" : "bg-warn-soft text-warn")}>
      <span className="font-semibold">Allergies:</span>{" "}
      <span dir="auto" className="break-words">
        {text()}
      </span>
    </p>
  )
}
