import { Window } from "../ui/Window.tsx"
import { FindCases } from "../work/search/FindCases.tsx"

/** The search before any screen. */
const SearchWindow = ({ onClose }: { readonly onClose: () => void }) => (
  <Window title="Search" isWide isOpen onClose={onClose}>
    <FindCases onChosen={onClose} />
  </Window>
)

export default SearchWindow
