#version 330 core
// The line's colour, smooth at its sides.
flat in vec4 lineColour;
in float across;
flat in float halfWidth;

uniform float strength;

out vec4 colour;

void main() {
    float cover = clamp(halfWidth + 0.5 - abs(across), 0.0, 1.0);
    colour = vec4(lineColour.rgb, lineColour.a * cover * strength);
}
