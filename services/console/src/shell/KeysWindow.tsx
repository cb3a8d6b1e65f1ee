import { useState } from "react"
import { areKeysOn, keysNow, turnKeys } from "../ui/keys.ts"
import { Tick } from "../ui/Tick.tsx"
import { Window } from "../ui/Window.tsx"

interface KeysWindowProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

const names: Readonly<Record<string, string>> = { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" }

/** The keys of the screen, and whether they do anything. */
export const KeysWindow = ({ isOpen, onClose }: KeysWindowProps) => {
  const [isOn, setOn] = useState(areKeysOn)
  return (
    <Window title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
        {keysNow().map(({ does, keys }) => (
          <div key={keys.join(" ")} className="contents">
            <dt className="flex flex-wrap gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="inline-block min-w-7 rounded border border-line bg-raised px-1.5 py-0.5 text-center text-sm"
                >
                  {names[key] ?? key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Tick
        isSelected={isOn}
        onChange={(next) => {
          turnKeys(next)
          setOn(next)
        }}
      >
        Single keys work in this browser
      </Tick>
      <p className="text-sm text-muted">
        They do nothing while you type. Turn them off if you dictate. Ctrl+K always searches.
      </p>
    </Window>
  )
}
