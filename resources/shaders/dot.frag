#version 330 core
// A disc with a soft rim.
flat in vec4 dotColour;
flat in float radius;

uniform float strength;

out vec4 colour;

void main() {
    float away = length(gl_PointCoord - 0.5) * 2.0 * radius;
    float cover = clamp(radius - away, 0.0, 1.0);
    if (cover <= 0.0) discard;
    colour = vec4(dotColour.rgb, dotColour.a * cover * strength);
}
