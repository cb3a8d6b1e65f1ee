import { text } from "node:stream/consumers"
import { folder } from "./folder.ts"
import { showSources } from "./showSources.ts"

process.stdout.write(showSources(folder, await text(process.stdin)))
