import { Layer } from "effect"
import { FileContents } from "../../documents/index.ts"
import { ReadingHandlers } from "./http.ts"
import { Reading } from "./Reading.ts"

export const ReadingFeature = ReadingHandlers.pipe(Layer.provide([FileContents.layer, Reading.layer]))
