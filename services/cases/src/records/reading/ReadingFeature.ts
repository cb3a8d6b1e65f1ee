import { Layer } from "effect"
import { FileContents } from "../../documents/index.ts"
import { CaseSearch } from "../search/CaseSearch.ts"
import { ReadingHandlers } from "./http.ts"
import { OwnEntries } from "./OwnEntries.ts"
import { Reading } from "./Reading.ts"

export const ReadingFeature = ReadingHandlers.pipe(
  Layer.provide([CaseSearch.layer, FileContents.layer, OwnEntries.layer, Reading.layer])
)
