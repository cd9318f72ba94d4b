#version 330 core
// A part of a texture, put on the screen pixel for pixel; every instance is one part.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec2 place;  // the upper left on the screen, in pixels from its upper left
layout(location = 2) in vec2 source;  // the upper left in the texture
layout(location = 3) in vec2 extent;
layout(location = 4) in vec4 tint;

uniform vec2 viewport;

noperspective out vec2 at;
flat out vec4 spriteColour;

void main() {
    vec2 share = (place + corner * extent) / viewport;
    gl_Position = vec4(2.0 * share.x - 1.0, 1.0 - 2.0 * share.y, 0.0, 1.0);
    at = source + corner * extent;
    spriteColour = tint;
}
