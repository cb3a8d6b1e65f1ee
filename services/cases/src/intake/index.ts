export { FormResponseRow } from "./answers/FormResponseRow.ts"
export { FormResponses } from "./answers/FormResponses.ts"
export { IntakeFeature } from "./IntakeFeature.ts"
