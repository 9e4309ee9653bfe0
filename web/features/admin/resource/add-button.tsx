import Plus from "lucide-react/icons/plus";
import { Button } from "../../../ui/button.tsx";

interface AddButtonProps {
  readonly label: string;
  readonly onClick: () => void;
}

/** Opens the form for a new resource. */
export const AddButton = (props: AddButtonProps) => (
  <Button variant="primary" icon={<Plus aria-hidden />} onClick={props.onClick}>
    {props.label}
  </Button>
);
