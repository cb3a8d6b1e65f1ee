import { copyButtons } from "./copyButtons.ts"
import { fillDemo, readDemo } from "./fillDemo.ts"
import { followAnchor } from "./followAnchor.ts"
import { languageTabs } from "./languageTabs.ts"
import { menu } from "./menu.ts"
import { searchDialog } from "./searchDialog.ts"
import { switchTheme } from "./switchTheme.ts"

menu()
followAnchor()
searchDialog()
copyButtons()
languageTabs()
if (document.body.dataset["document"] === undefined) {
  switchTheme()
  fillDemo(await readDemo())
}
