import type { AdminCase } from "@care/domain/cases"
import { Empty } from "../../../ui/Empty.tsx"
import { Moment } from "../../../ui/Moment.tsx"
import { Panel } from "../../../ui/Panel.tsx"
import { AnswerView } from "./AnswerView.tsx"

/** The id of the element with the answers. */
export const answersId = "answers"

/** What the patient answered, form by form, the newest first. */
export const Answers = ({ caseDetail }: { readonly caseDetail: AdminCase }) => (
  <section id={answersId} aria-label="Answers" tabIndex={-1} className="flex flex-col gap-5 outline-none">
    <Forms caseDetail={caseDetail} />
  </section>
)

const Forms = ({ caseDetail }: { readonly caseDetail: AdminCase }) => {
  const { answersHidden, formResponses, products } = caseDetail
  if (answersHidden) {
    return (
      <Empty title="Answers and files are not shown to you">
        Your organization does not let support read them. An administrator can change that.
      </Empty>
    )
  }
  if (formResponses.length === 0) {
    return <Empty title="No form was answered">Ask the patient in a comment for what you need to know.</Empty>
  }
  return formResponses.toReversed().map(({ createdAt, description, id, productId, questions, title }) => (
    <Panel
      key={id}
      title={title}
      actions={
        <span className="text-sm text-muted">
          <span dir="auto">{products.find((product) => product.productId === productId)?.name}</span>{" "}
          <Moment at={createdAt} />
        </span>
      }
    >
      {description === null ? null : (
        <p dir="auto" className="text-muted">
          {description}
        </p>
      )}
      <dl className="flex flex-col divide-y divide-line">
        {questions.map((question, index) => (
          <div key={index} className="grid gap-x-6 gap-y-0.5 py-2 sm:grid-cols-2">
            <dt dir="auto" className="break-words text-muted">
              {question.question}
            </dt>
            <dd className="min-w-0 font-medium">
              <AnswerView caseDetail={caseDetail} question={question} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  ))
}
