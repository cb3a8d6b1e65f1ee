import { inWords } from "../../ui/words.ts"
import type { OrderDraft } from "./orderChange.ts"

const titles: Readonly<Record<Exclude<keyof OrderDraft, "status">, string>> = {
  trackingId: "Tracking number",
  carrierName: "Carrier",
  trackingUrl: "Tracking link",
  message: "Message"
}

interface ChangedFieldsProps {
  readonly draft: OrderDraft
  /** Whose order it is. */
  readonly of: string
}

/** Says what will change of an order. */
export const ChangedFields = ({ draft, of }: ChangedFieldsProps) => (
  <>
    <p>
      {draft.status === "ERROR"
        ? `The order of ${of} stays in error, with these changes.`
        : `The order of ${of} becomes “${inWords(draft.status)}”. Its status only goes forward: this cannot be taken back.`}
    </p>
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {(["trackingId", "carrierName", "trackingUrl", "message"] as const)
        .filter((name) => draft[name].trim() !== "")
        .map((name) => (
          <div key={name} className="contents">
            <dt className="text-muted">{titles[name]}</dt>
            <dd dir="auto" className="min-w-0 break-words whitespace-pre-line">
              {draft[name]}
            </dd>
          </div>
        ))}
    </dl>
  </>
)
